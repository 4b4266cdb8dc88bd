import { startTelemetry } from '@cellarman/telemetry';
import type { QueryResultRow } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { COUNT_EXPIRING_KEYS, observeExpiringKeys } from '../src/keys/observe-expiring-keys.ts';
import { makeCellar, makeKey } from './made.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest();
});
afterAll(() => service.stop());

test('keys that expire within a week count while they are used', async () => {
  const { name } = await makeCellar(service);
  const given = [
    ['in use', '3 days', '1 hour'],
    ['just within the week and the day', '6 days 23 hours', '23 hours'],
    ['later', '8 days', '1 hour'],
    ['not used lately', '3 days', '2 days'],
    ['never used', '3 days', null],
    ['expired already', '-1 hour', '1 hour'],
    ['without an end', null, '1 hour'],
    ['revoked', '3 days', '1 hour'],
  ] as const;
  for (const [label, expiresIn, usedAgo] of given) {
    const key = await makeKey(service, name, { name: label });
    await service.pool.query(
      `UPDATE api_keys SET expires_at = now() + $2::interval, last_used_at = now() - $3::interval,
              revoked_at = CASE WHEN name = 'revoked' THEN now() END
       WHERE id = $1`,
      [key.id, expiresIn, usedAgo],
    );
  }

  const archived = await makeCellar(service);
  const key = await makeKey(service, archived.name);
  await service.pool.query(
    `UPDATE api_keys SET expires_at = now() + interval '3 days', last_used_at = now() WHERE id = $1`,
    [key.id],
  );
  await service.admin.call('POST', `/api/v1/cellars/${archived.name}/archive`);

  // Each replica counts when it starts, and once a minute.
  const replica = await service.startReplica();
  try {
    await vi.waitFor(
      async () => {
        const metrics = await (await fetch(`${replica.url}/metrics`)).text();
        expect(metrics).toMatch(/^cellarman_key_service_expiring_keys 2$/m);
      },
      // Its next try after one that failed is a minute later.
      { timeout: 100_000, interval: 50 },
    );
  } finally {
    await replica.stop();
  }
});

test('of 20,000 keys only those with an expiry are read', async () => {
  const { name } = await makeCellar(service);
  await service.pool.query(
    `INSERT INTO api_keys (cellar, name, hash, display_prefix, scopes, expires_at, last_used_at)
     SELECT $1, 'device ' || i, sha256(i::text::bytea), 'cm_test', '{ingest}',
            CASE WHEN i % 1000 = 0 THEN now() + i * interval '1 minute' END, now()
     FROM generate_series(1, 20000) AS i`,
    [name],
  );
  await service.pool.query('ANALYZE api_keys');
  const { rows } = await service.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${COUNT_EXPIRING_KEYS}`, [
    null,
    null,
  ]);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('api_keys_expiring');
  expect(plan).not.toContain('Seq Scan on api_keys');
});

test('counts over several statements, also when many keys expire at the same time', async () => {
  const { name } = await makeCellar(service);
  await service.pool.query(`UPDATE api_keys SET expires_at = NULL`);
  await service.pool.query(
    `INSERT INTO api_keys (cellar, name, hash, display_prefix, scopes, expires_at, last_used_at)
     SELECT $1, 'expiring ' || i, sha256(('expiring ' || i)::bytea), 'cm_test', '{ingest}',
            now() + interval '1 day' + (i / 6000) * interval '1 hour', CASE WHEN i % 1000 = 999 THEN now() END
     FROM generate_series(0, 8999) AS i`,
    [name],
  );
  const replica = await service.startReplica();
  try {
    const metrics = async () => (await fetch(`${replica.url}/metrics`)).text();
    await expect.poll(metrics, { timeout: 100_000 }).toMatch(/^cellarman_key_service_expiring_keys 9$/m);
  } finally {
    await replica.stop();
  }
});

test('a replica that could count and cannot any more says so and has no number', async () => {
  const lines: string[] = [];
  const telemetry = await startTelemetry({
    service: 'key-service',
    version: '0',
    config: loadConfig({ ...service.env, LOG_LEVEL: 'warn' }),
    stdout: { write: (line) => void lines.push(line) },
  });
  const database = {
    query: async <Row extends QueryResultRow>(text: string, values?: unknown[]) =>
      (await service.pool.query<Row>(text, values)).rows,
  };
  const number = async () =>
    /^cellarman_key_service_expiring_keys (\S+)$/m.exec(await telemetry.metricsText())?.[1];
  const counting = observeExpiringKeys({ database, ...telemetry, intervalMs: 50 });
  try {
    await vi.waitFor(async () => expect(await number()).toMatch(/^\d+$/), { timeout: 20_000, interval: 20 });
    await service.pool.query('ALTER TABLE cellars RENAME archived_at TO archived_before');
    await vi.waitFor(async () => expect(await number()).toBe('NaN'), { timeout: 20_000, interval: 20 });
    expect(lines.join('')).toMatch(/"level":"warn".*could not count the rows/);
  } finally {
    counting.stop();
    await telemetry.stop();
    await service.pool.query('ALTER TABLE cellars RENAME archived_before TO archived_at');
  }
});
