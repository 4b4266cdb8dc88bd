import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHANGES_PATH } from '@cellarman/contracts';
import type { ChangesResponse } from '@cellarman/contracts';
import { createChangesRepository } from '../src/changes/changes-repository.ts';
import { recordChanges } from '../src/changes/record-changes.ts';
import type { Queryable } from '../src/postgres/database.ts';
import { createDatabase } from '../src/postgres/database.ts';
import { createLogger } from '@cellarman/telemetry';
import { makeCellar, makeKey } from './made.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

const NOBODY = { id: null, name: 'test', address: null };

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest();
});
afterAll(() => service.stop());

async function changesAfter(after: number): Promise<ChangesResponse> {
  const answer = await service.internal<ChangesResponse>('GET', `${CHANGES_PATH}?after=${after}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

describe('numbers', () => {
  test('follow the commits without a gap, though writers overlap and some roll back', async () => {
    const logger = createLogger({ service: 'test', version: '0', level: 'silent' });
    const database = createDatabase({
      url: service.env['DATABASE_URL'] ?? '',
      name: 'writers',
      logger,
      connections: 12,
      maxWaiting: 1_000,
    });
    const { number: start } = await changesAfter(-1);

    // A reader that remembers the last number it has seen, as ingest does. It must learn of every change.
    const repository = createChangesRepository(database, 7);
    const seen: string[] = [];
    let after = start;
    const read = async () => {
      for (let more = true; more;) {
        const page = await repository.after(after);
        expect(page.complete).toBe(true);
        for (const change of page.changes) {
          expect(change.number).toBe(after + 1);
          after = change.number;
          if (change.kind === 'cellar') seen.push(change.cellar);
        }
        more = page.more;
      }
    };
    let writing = true;
    const reading = (async () => {
      while (writing) await read();
      await read();
    })();

    const committed: string[] = [];
    const write = async (writer: number) => {
      for (let i = 0; i < 25; i++) {
        const cellar = `writer-${writer}.${i}`;
        const rollsBack = (writer + i) % 3 === 0;
        await database
          .transaction(async (transaction: Queryable) => {
            const changed = [{ kind: 'cellar', cellar } as const, { kind: 'cellar', cellar } as const];
            await recordChanges(transaction, NOBODY, changed.slice(0, 1 + (i % 2)), [
              { action: 'test', cellar },
            ]);
            if (rollsBack) throw new Error('as planned');
            for (let j = 0; j <= i % 2; j++) committed.push(cellar);
          })
          .catch((error: unknown) => {
            if (!rollsBack) throw error;
          });
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_, writer) => write(writer)));
    writing = false;
    await reading;
    await database.stop();

    expect(seen.toSorted()).toEqual(committed.toSorted());
    expect(after).toBe(start + committed.length);
    const { rows } = await service.pool.query<{ count: number; span: number }>(
      `SELECT count(*)::int AS count, max(number)::int - min(number)::int + 1 AS span FROM changes`,
    );
    expect(rows[0]?.count).toBe(rows[0]?.span);
    const audited = await service.pool.query(`SELECT cellar FROM audit WHERE action = 'test'`);
    expect(audited.rows.length).toBe(new Set(committed).size);
  });
});

describe('GET /internal/v1/changes', () => {
  test('-1 returns only the current position of the history', async () => {
    const cellar = await makeCellar(service);
    await makeKey(service, cellar.name);
    const answer = await changesAfter(-1);
    expect(answer).toMatchObject({ complete: true, more: false, changes: [] });
    expect(answer.number).toBeGreaterThan(0);
    expect((await changesAfter(answer.number)).changes).toEqual([]);
  });

  test('reports each kind of change', async () => {
    const { number } = await changesAfter(-1);
    const cellar = await makeCellar(service);
    const key = await makeKey(service, cellar.name);
    await service.admin.call('POST', `/api/v1/cellars/${cellar.name}/keys/${key.id}/revoke`);
    await service.admin.call('PATCH', `/api/v1/cellars/${cellar.name}`, { retentionDays: 7 });
    expect(await changesAfter(number)).toMatchObject({
      number: number + 4,
      complete: true,
      more: false,
      changes: [
        { number: number + 1, kind: 'cellar', cellar: cellar.name },
        { number: number + 2, kind: 'key', hash: key.hash },
        { number: number + 3, kind: 'key', hash: key.hash },
        { number: number + 4, kind: 'cellar', cellar: cellar.name },
      ],
    });
  });

  test('a number from the future, or one whose followers were deleted, is not complete', async () => {
    const { number } = await changesAfter(-1);
    expect(await changesAfter(number + 1)).toMatchObject({ number, complete: false, changes: [] });

    await makeCellar(service);
    await service.pool.query(`UPDATE changes SET at = now() - interval '25 hours' WHERE number <= $1`, [
      number,
    ]);
    const logger = createLogger({ service: 'test', version: '0', level: 'silent' });
    const database = createDatabase({
      url: service.env['DATABASE_URL'] ?? '',
      name: 'prune',
      logger,
      connections: 1,
      maxWaiting: 1,
    });
    await createChangesRepository(database).prune(24);
    await database.stop();

    expect(await changesAfter(number - 1)).toMatchObject({
      number: number + 1,
      complete: false,
      changes: [],
    });
    expect(await changesAfter(0)).toMatchObject({ complete: false });
    const stillKnown = await changesAfter(number);
    expect(stillKnown.complete).toBe(true);
    expect(stillKnown.changes).toHaveLength(1);

    await service.pool.query(`DELETE FROM changes`);
    expect(await changesAfter(number)).toMatchObject({ number: number + 1, complete: false });
    expect(await changesAfter(number + 1)).toMatchObject({ number: number + 1, complete: true });
  });

  test.each([['after=x'], ['after=1.5'], ['after=-2'], ['']])('rejects ?%s', async (query) => {
    const answer = await service.internal('GET', `${CHANGES_PATH}?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});
