import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

const MINUTE = 60_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

interface Usage {
  buckets: { at: string; readings: number; isComplete: boolean }[];
  racks: { rack: string; readings: number; lastReceivedAt: string }[];
  rackCount: number;
}

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
  await harness.createKey('usage');
  const row = { cellar: 'usage', key_id: 'gateway' };
  await harness.store([
    { ...row, rack: 'a', value: 1, timestamp: ago(1), received_at: ago(5 * MINUTE) },
    { ...row, rack: 'a', value: 2, timestamp: ago(2), received_at: ago(20 * MINUTE) },
    { ...row, rack: 'b', value: 3, timestamp: ago(3), received_at: ago(21 * MINUTE) },
    { ...row, rack: 'c', value: 4, timestamp: ago(4), received_at: ago(90 * MINUTE) },
    { ...row, rack: 'd', value: 5, timestamp: ago(5), received_at: ago(5 * MINUTE), key_id: 'other' },
    { ...row, cellar: 'elsewhere', rack: 'e', value: 6 },
  ]);
  // The same reading again, later and with another key.
  const found = await (
    await harness.clickhouse.query({
      query: `SELECT timestamp FROM readings WHERE rack = 'a' AND value = 2`,
      format: 'JSONEachRow',
    })
  ).json<{ timestamp: string }>();
  const timestamp = found[0]?.timestamp ?? '';
  await harness.store([
    {
      ...row,
      rack: 'a',
      value: 2,
      timestamp: `${timestamp.replace(' ', 'T')}Z`,
      received_at: ago(0),
      key_id: 'other',
    },
  ]);
});
afterAll(() => harness.stop());

const usageOf = async (key: string, query = '') =>
  (await harness.ask<Usage>(`/cellars/usage/keys/${key}/usage${query}`)).body;

it('counts the readings of a key by minute and by rack, for the last hour', async () => {
  const { buckets, racks, rackCount } = await usageOf('gateway');
  expect(buckets.map(({ readings }) => readings).reduce((sum, readings) => sum + readings, 0)).toBe(3);
  expect(racks.map(({ rack, readings }) => [rack, readings])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect(rackCount).toBe(2);
  expect(Date.now() - Date.parse(racks[0]?.lastReceivedAt ?? '')).toBeLessThan(10 * MINUTE);
});

it('counts a reading that two keys sent for the first of them', async () => {
  const { racks } = await usageOf('other');
  expect(racks.map(({ rack }) => rack)).toEqual(['d']);
});

it('counts in any range and step', async () => {
  const { buckets, racks } = await usageOf('gateway', `?step=3600&from=${ago(3 * 60 * MINUTE)}`);
  expect(buckets.reduce((sum, { readings }) => sum + readings, 0)).toBe(4);
  expect(racks.map(({ rack }) => rack).toSorted()).toEqual(['a', 'b', 'c']);
});

it('is empty for a key that has sent nothing, and only for those who may read the cellar', async () => {
  expect(await usageOf('unused')).toMatchObject({ buckets: [], racks: [], rackCount: 0 });
  const { secret } = await harness.createKey('usage', { rackPrefix: 'b' });
  const limited = await harness.ask<Usage>('/cellars/usage/keys/gateway/usage', { 'x-api-key': secret });
  expect(limited.body.racks.map(({ rack }) => rack)).toEqual(['b']);
  const { secret: foreign } = await harness.createKey('elsewhere');
  expect((await harness.ask('/cellars/usage/keys/gateway/usage', { 'x-api-key': foreign })).status).toBe(403);
});
