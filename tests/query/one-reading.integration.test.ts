import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

interface Answer {
  reading: { receivedAt: string; storedAt: string; keyId: string; timestamp: string; value: number } | null;
  checkedAt: string;
}

const TIMESTAMP = `${new Date().toISOString().slice(0, 19)}.000000001Z`;
const RECEIVED = new Date(Date.now() - 5_000).toISOString();

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  await harness.createKey('one');
  const row = { cellar: 'one', rack: 'a/1 ü', keg: 'k&l', timestamp: TIMESTAMP, key_id: 'first' };
  await harness.store([
    { ...row, value: 0.1, received_at: RECEIVED },
    { ...row, value: 0.2 },
    { ...row, cellar: 'other', value: 0.3 },
  ]);
  // The same reading again, with another key.
  await harness.store([{ ...row, value: 0.1, key_id: 'second' }]);
});
afterAll(() => harness.stop());

function find(change: Record<string, string> = {}, headers?: Record<string, string>) {
  const query = new URLSearchParams({
    ...{ rack: 'a/1 ü', keg: 'k&l', timestamp: TIMESTAMP, value: '0.1' },
    ...change,
  });
  return harness.ask<Answer>(`/cellars/one/reading?${query.toString()}`, headers);
}

it('finds a reading by its identity, as it was first received', async () => {
  const { body } = await find();
  expect(body.reading).toMatchObject({
    ...{ rack: 'a/1 ü', keg: 'k&l', value: 0.1, timestamp: TIMESTAMP, keyId: 'first' },
  });
  expect(Date.parse(body.reading?.receivedAt ?? '')).toBe(Date.parse(RECEIVED));
  const storedAt = Date.parse(body.reading?.storedAt ?? '');
  expect(storedAt).toBeGreaterThan(Date.parse(RECEIVED));
  expect(Date.parse(body.checkedAt)).toBeGreaterThanOrEqual(storedAt);
});

it.each([{ value: '0.3' }, { keg: 'k' }, { timestamp: TIMESTAMP.replace('1Z', '2Z') }])(
  'returns null for another identity: %o',
  async (change) => {
    expect(await find(change)).toMatchObject({ status: 200, body: { reading: null } });
  },
);

it('is closed to a key of other racks', async () => {
  const { secret } = await harness.createKey('one', { scopes: ['read'], rackPrefix: 'b' });
  const response = await find({}, { 'x-api-key': secret });
  expect(response).toMatchObject({ status: 403, body: { code: 'rack_mismatch' } });
});
