import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const HOUR_MS = 3_600_000;
const END = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

interface Verification {
  hours: { at: string; state: string; missing: number; checkedAt: string | null; findings: string[] }[];
  total: Record<string, number>;
  checkedAt: string | null;
}

/** A row as the sink stores it, for an hour before the current one. */
function row(hoursAgo: number, cellar: string, more: object = {}) {
  return {
    ...{ hour: (END - hoursAgo * HOUR_MS) / 1_000, cellar, digest: cellar === '' ? '1:1 1:1' : '' },
    ...{
      verified_at: '1700000000.100',
      checked_at: '1700000000.100',
      messages: 12,
      acknowledged: 10,
      stored: 10,
    },
    ...more,
  };
}
const store = (values: object[]) =>
  harness.clickhouse.insert({ table: 'verified_hours', values, format: 'JSONEachRow' });
const ask = async (search = '') =>
  (await harness.ask<Verification>(`/cellars/demo/verification${search}`)).body;

describe('the verification of completed hours', () => {
  test('is pending where the sink has not compared an hour', async () => {
    const { hours, total, checkedAt } = await ask();
    expect(hours).toHaveLength(24);
    expect(new Set(hours.map(({ state }) => state))).toEqual(new Set(['pending']));
    expect(total).toMatchObject({ acknowledged: 0, stored: 0, missing: 0 });
    expect(checkedAt).toBeNull();
  });

  test('has the figures of the cellar alone, and the oldest check', async () => {
    await store([
      ...[row(2, ''), row(2, 'demo', { missing: 1, stored: 9, findings: ['{"kind":"missing"}'] })],
      ...[row(2, 'other', { missing: 7 }), row(3, '', { checked_at: '1700000060.000' }), row(3, 'demo')],
    ]);
    const { hours, total, checkedAt } = await ask();
    expect(hours.at(-1)?.at).toBe(new Date(END - 2 * HOUR_MS).toISOString());
    expect(hours.at(-1)).toMatchObject({ state: 'verified', missing: 1, findings: ['{"kind":"missing"}'] });
    expect(total).toMatchObject({ messages: 24, acknowledged: 20, stored: 19, missing: 1 });
    expect(checkedAt).toBe('2023-11-14T22:13:20.100Z');
  });

  test('forgets what an earlier verification found, and shows an hour that Kafka has deleted', async () => {
    const later = { verified_at: '1700000100.000', checked_at: '1700000100.000' };
    await store([row(2, '', later), row(4, '', { digest: '' })]);
    const { hours, total } = await ask();
    expect(hours.at(-1)).toMatchObject({ state: 'verified', missing: 0, findings: [] });
    expect(hours.at(-3)).toMatchObject({ state: 'unverifiable' });
    expect(total).toMatchObject({ acknowledged: 10, missing: 0 });
  });

  test('leaves out the last hour until it is verified', async () => {
    await store([row(1, '')]);
    const { hours } = await ask();
    expect(hours).toHaveLength(24);
    expect(hours.at(-1)).toMatchObject({ at: new Date(END - HOUR_MS).toISOString(), state: 'verified' });
    const at = (hoursAgo: number) => new Date(END - hoursAgo * HOUR_MS + 1).toISOString();
    expect((await ask(`?from=${at(3)}&to=${at(2)}`)).hours.map(({ state }) => state)).toEqual([
      'verified',
      'verified',
    ]);
  });
});
