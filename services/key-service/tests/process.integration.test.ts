import { LOOKUP_PATH } from '@cellarman/contracts';
import type { LookupResult, LookupResponse } from '@cellarman/contracts';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { run } from './key-service-process.ts';
import { createTestDatabase } from './test-database.ts';
import { makeCellar, makeKey } from './made.ts';
import { INTERNAL_TOKEN, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
let env: Record<string, string>;
beforeAll(async () => {
  service = await startServiceUnderTest();
  env = { ...service.env, LOG_LEVEL: 'info' };
});
afterAll(() => service.stop());

async function lookUp(url: string, hash: string): Promise<LookupResult> {
  const answer = await fetch(url + LOOKUP_PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${INTERNAL_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ hashes: [hash] }),
  });
  const [first] = ((await answer.json()) as LookupResponse).answers;
  if (first === null || first === undefined) throw new Error('nobody can say');
  return first;
}

describe('the process', () => {
  test('killed by force and started again knows what was revoked meanwhile', async () => {
    const { name } = await makeCellar(service);
    const key = await makeKey(service, name);
    const first = run(env);
    const url = await first.url();
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), 20_000);
    expect((await lookUp(url, key.hash)).key).toMatchObject({ id: key.id, revokedAt: null });
    first.child.kill('SIGKILL');
    await first.exit;

    await service.admin.call('POST', `/api/v1/cellars/${name}/keys/${key.id}/revoke`);
    const second = run(env);
    const secondUrl = await second.url();
    expect((await lookUp(secondUrl, key.hash)).key?.revokedAt).not.toBeNull();
    const metrics = await (await fetch(`${secondUrl}/metrics`)).text();
    expect(metrics).toMatch(
      /cellarman_key_service_request_duration_seconds_count\{method="POST",route="\/internal\/v1\/keys\/look-up",status="200"\} 1/,
    );
    expect(metrics).toMatch(/cellarman_key_service_changes_age_seconds 0\./);

    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
    expect(second.output()).not.toContain(INTERNAL_TOKEN);
    expect(second.output()).not.toContain(env['ADMIN_PASSWORD']);
  });

  test('started several times concurrently on an empty database migrates it once', async () => {
    const database = await createTestDatabase(inject('engines').databaseUrl);
    const replicas = [1, 2, 3].map(() => run({ ...env, DATABASE_URL: database.url }));
    await Promise.all(replicas.map(({ url }) => url()));
    for (const { child } of replicas) child.kill('SIGTERM');
    expect(await Promise.all(replicas.map(({ exit }) => exit))).toEqual([0, 0, 0]);

    const client = new Client({ connectionString: database.url });
    await client.connect();
    const users = await client.query(`SELECT email FROM administrators`);
    expect(users.rows).toEqual([{ email: env['ADMIN_EMAIL'] }]);
    const audit = await client.query(`SELECT action FROM audit`);
    expect(audit.rows).toEqual([{ action: 'user.created' }]);
    await client.end();
    await database.stop();
  });

  test('migrates and ends with the argument migrate', async () => {
    const database = await createTestDatabase(inject('engines').databaseUrl);
    const migrating = run({ ...env, DATABASE_URL: database.url }, 'migrate');
    expect(await migrating.exit).toBe(0);
    expect(migrating.output()).toContain('0001_keys');
    const again = run({ ...env, DATABASE_URL: database.url }, 'migrate');
    expect(await again.exit).toBe(0);
    expect(again.output()).not.toContain('0001_keys');
    await database.stop();
  });

  test('does not start with a wrong environment, and names every problem without the secrets', async () => {
    const started = run({
      PORT: 'x',
      DATABASE_URL: 'mysql://me:hush@db',
      INTERNAL_TOKEN: 'short',
      REDIS_URL: 'redis://r',
    });
    expect(await started.exit).toBe(1);
    for (const name of ['PORT', 'DATABASE_URL', 'INTERNAL_TOKEN']) expect(started.output()).toContain(name);
    expect(started.output()).not.toContain('hush');
    expect(started.output()).not.toContain('short');
  });
});
