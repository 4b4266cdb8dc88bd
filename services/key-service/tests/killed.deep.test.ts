import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { run } from './key-service-process.ts';
import type { KeyServiceProcess } from './key-service-process.ts';
import { askForAll, outcomeOf, prepareOperations } from './killed-operations.ts';
import { ADMIN, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
let cookie: string;
let victim: KeyServiceProcess | undefined;
beforeAll(async () => {
  service = await startServiceUnderTest();
  const signedIn = await service.anonymous.call('POST', '/api/v1/session', ADMIN);
  cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
});
afterEach(async () => {
  victim?.child.kill('SIGKILL');
  await victim?.exit;
});
afterAll(() => service.stop());

/** A second replica, whose connections all operations have room in. */
async function startVictim() {
  victim = run({ ...service.env, LOG_LEVEL: 'info', DATABASE_CONNECTIONS: '40' });
  return { victim, url: await victim.url() };
}

/** Connections of the killed replica that PostgreSQL still works for. */
async function openTransactions(): Promise<number> {
  const { rows } = await service.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'key-service' AND xact_start IS NOT NULL`,
  );
  return rows[0]?.count ?? 0;
}

describe('key-service killed by force', () => {
  test('between a change and its audit entry leaves neither', async () => {
    // Joining hashes a password first, and the others would not wait so long.
    const operations = (await prepareOperations(service)).filter(({ name }) => name !== 'join');
    const { victim, url } = await startVictim();
    // Nobody can write an entry while this is held: every operation stops after its change, right before it, or waits for
    // one that does.
    const holder = await service.pool.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE audit IN EXCLUSIVE MODE');
    const statuses = askForAll(url, cookie, operations);
    try {
      await vi.waitFor(
        async () => {
          const { rows } = await service.pool.query<{ count: number }>(
            `SELECT count(*)::int AS count FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'key-service' AND wait_event_type = 'Lock'`,
          );
          expect(rows[0]?.count).toBe(operations.length);
        },
        { timeout: 20_000, interval: 10 },
      );
      victim.child.kill('SIGKILL');
      await victim.exit;
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await Promise.all(statuses)).toEqual(operations.map(() => undefined));
    await vi.waitFor(async () => expect(await openTransactions()).toBe(0), { timeout: 20_000 });
    for (const operation of operations) {
      expect([operation.name, await outcomeOf(service, operation)]).toEqual([
        operation.name,
        { done: 0, entries: 0 },
      ]);
    }
  });

  test.each([1, 5])(
    'after %i of ten responses leaves each change with one entry, or neither',
    async (answers) => {
      const operations = await prepareOperations(service);
      const { victim, url } = await startVictim();
      let arrived = 0;
      const answered = await Promise.all(
        askForAll(url, cookie, operations).map(async (status) => {
          if ((await status) === undefined) return false;
          arrived += 1;
          if (arrived === answers) victim.child.kill('SIGKILL');
          return true;
        }),
      );
      expect(arrived).toBeGreaterThanOrEqual(answers);
      await victim.exit;
      await vi.waitFor(async () => expect(await openTransactions()).toBe(0), { timeout: 20_000 });
      for (const [i, operation] of operations.entries()) {
        const outcome = await outcomeOf(service, operation);
        expect([operation.name, outcome]).toEqual([
          operation.name,
          outcome.done === 1 ? { done: 1, entries: 1 } : { done: 0, entries: 0 },
        ]);
        // An acknowledged change has been carried out.
        if (answered[i] === true) expect([operation.name, outcome.done]).toEqual([operation.name, 1]);
      }
    },
  );
});
