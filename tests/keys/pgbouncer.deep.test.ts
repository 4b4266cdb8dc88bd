import { LAST_USED_PATH, LOOKUP_PATH } from '@cellarman/contracts';
import type { LookupResponse } from '@cellarman/contracts';
import { createApiClient } from '../../services/key-service/tests/api-client.ts';
import type { Answer } from '../../services/key-service/tests/api-client.ts';
import { makeCellar } from '../../services/key-service/tests/made.ts';
import {
  ADMIN,
  INTERNAL_TOKEN,
  startServiceUnderTest,
} from '../../services/key-service/tests/service-under-test.ts';
import type { ServiceUnderTest } from '../../services/key-service/tests/service-under-test.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasPgbouncer, startPgbouncer } from './pgbouncer.ts';

const POOL_SIZE = 2;
const AT_A_TIME = 8;

describe.runIf(hasPgbouncer)('key-service behind PgBouncer in transaction mode', () => {
  let service: ServiceUnderTest;
  let bouncer: Awaited<ReturnType<typeof startPgbouncer>>;
  beforeAll(async () => {
    service = await startServiceUnderTest();
    bouncer = await startPgbouncer(service.env['DATABASE_URL'] ?? '', POOL_SIZE);
  });
  afterAll(async () => {
    await bouncer.stop();
    await service.stop();
  });

  test('creates, finds, reports and revokes keys over fewer connections than it has', async () => {
    const replica = await service.startReplica({ DATABASE_URL: bouncer.url });
    try {
      const client = await createApiClient(replica.url);
      expect(await client.signIn(ADMIN.email, ADMIN.password)).toMatchObject({ status: 201 });
      const { name } = await makeCellar(service);
      const keys = `/api/v1/cellars/${name}/keys`;
      const made = await Promise.all(
        Array.from({ length: AT_A_TIME }, async (_, n) => {
          const { body } = await accepted(() =>
            client.call<{ key: { id: string } }>('POST', keys, { name: `key ${n}` }),
          );
          return body.key.id;
        }),
      );
      const { rows } = await service.pool.query<{ hash: string }>(
        `SELECT encode(hash, 'hex') AS hash FROM api_keys WHERE id = ANY ($1::uuid[])`,
        [made],
      );
      const internal = <Body>(path: string, body: object) =>
        client.call<Body>('POST', path, body, { authorization: `Bearer ${INTERNAL_TOKEN}` });
      const found = await Promise.all(
        rows.map(({ hash }) => accepted(() => internal<LookupResponse>(LOOKUP_PATH, { hashes: [hash] }))),
      );
      expect(found.map(({ body }) => body.answers[0]?.key?.cellar)).toEqual(Array(AT_A_TIME).fill(name));
      const at = new Date(Date.now() - 1_000).toISOString();
      const reports = await Promise.all(
        made.map((id) => accepted(() => internal(LAST_USED_PATH, { uses: [{ id, at }] }))),
      );
      expect(reports.map(({ status }) => status)).toEqual(Array(AT_A_TIME).fill(204));
      const revoked = await Promise.all(
        made.map((id) => accepted(() => client.call('POST', `${keys}/${id}/revoke`))),
      );
      expect(revoked.map(({ status }) => status)).toEqual(Array(AT_A_TIME).fill(200));
      const { rows: connections } = await service.pool.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND usename = $1 AND application_name LIKE 'key-service%'`,
        [new URL(bouncer.url).username],
      );
      // Those of the replica without PgBouncer are among them.
      expect(connections[0]?.count).toBeLessThanOrEqual(POOL_SIZE + 10);
    } finally {
      await replica.stop();
    }
  });

  test('logs that there are no timeouts, until the role has them', async () => {
    const warnings = () =>
      service.log.filter((line) => line.includes('PostgreSQL applies no timeouts')).length;
    const before = warnings();
    await (await service.startReplica({ DATABASE_URL: bouncer.url })).stop();
    expect(warnings()).toBe(before + 1);

    const role = new URL(bouncer.url).username;
    await service.pool.query(`ALTER ROLE ${role} SET statement_timeout = '3s'`);
    await service.pool.query(`ALTER ROLE ${role} SET idle_in_transaction_session_timeout = '3s'`);
    const fresh = await startPgbouncer(service.env['DATABASE_URL'] ?? '', POOL_SIZE);
    try {
      await (await service.startReplica({ DATABASE_URL: fresh.url })).stop();
      expect(warnings()).toBe(before + 1);
    } finally {
      await fresh.stop();
    }
  });
});

/** Repeats what a busy machine could not do in time. */
function accepted<Body>(call: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
  return vi.waitFor(
    async () => {
      const answer = await call();
      expect(answer.status).toBeLessThan(300);
      return answer;
    },
    { timeout: 60_000, interval: 200 },
  );
}
