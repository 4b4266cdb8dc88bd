import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openLive } from './live-stream.ts';
import type { LiveStream } from './live-stream.ts';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    ...{ LIVE_POLL_INTERVAL_MS: '50', STREAM_AUTHORIZE_INTERVAL_MS: '100' },
    ...{ MAX_WAIT_MS: '60000', QUERY_TIMEOUT_SECONDS: '60' },
  });
});
afterAll(() => harness.stop());

const PATIENCE = { timeout: 20_000, interval: 20 };
let cellar: string;
let number = 0;
beforeEach(() => {
  number += 1;
  cellar = `cellar-${number}`;
});

const streams: LiveStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.leave();
});

async function watch(query = '', headers: Record<string, string> = { cookie: harness.cookie }) {
  const stream = await openLive(`${harness.queryUrl}/api/v1/query/cellars/${cellar}/live${query}`, headers);
  streams.push(stream);
  // The first event: from now on, nothing is missed.
  if (stream.status === 200) await expect.poll(() => stream.events.length, PATIENCE).toBeGreaterThan(0);
  return stream;
}

const store = (value: number, row = {}) => harness.store([{ cellar, value, ...row }]);
/** As an insert that began so long ago, and has taken effect now. */
const storeLate = (value: number, secondsAgo: number) =>
  harness.clickhouse.command({
    query: `INSERT INTO readings_by_time (cellar, timestamp, rack, keg, value, received_at, earliness, stored_at)
      SELECT '${cellar}', now64(9), 'r', 'k', ${value}, now64(3), 1, now64(9) - toIntervalSecond(${secondsAgo})`,
  });

describe('a stream', () => {
  test('begins with the newest readings, and goes on with what becomes visible', async () => {
    await store(1);
    await store(2);
    const stream = await watch();
    expect(stream.events[0]?.data).toMatchObject({
      readings: [
        { rack: 'r', keg: 'k', value: 2, visibleAfterMs: null },
        { value: 1, visibleAfterMs: null },
      ],
      more: 0,
      isComplete: true,
    });
    const before = Date.now();
    await store(3, { rack: 'boiler-1' });
    await expect.poll(stream.values, PATIENCE).toEqual([3, 2, 1]);
    const reading = stream.events[1]?.data.readings[0];
    expect(reading).toMatchObject({ rack: 'boiler-1', keg: 'k', value: 3 });
    expect(reading?.visibleAfterMs).toBeLessThanOrEqual(Date.now() - before + 1);
    expect(Date.parse(reading?.storedAt ?? '')).toBeGreaterThanOrEqual(before - 1_000);
    // An event comes once.
    await store(4);
    await expect.poll(stream.values, PATIENCE).toEqual([4, 3, 2, 1]);
  });

  test('has readings whose insert took longer than later ones', async () => {
    const stream = await watch();
    await store(1);
    await expect.poll(stream.values, PATIENCE).toEqual([1]);
    await storeLate(2, 30);
    await expect.poll(stream.values, PATIENCE).toEqual([2, 1]);
    // What is late does not set the position back.
    expect(String(stream.events[2]?.id)).toBe(stream.events[1]?.id);
  });

  test('has the readings of an insert in each month', async () => {
    const stream = await watch();
    const lastMonth = new Date(Date.now() - 31 * 86_400_000).toISOString();
    await harness.store([
      { cellar, value: 1 },
      { cellar, value: 2, timestamp: lastMonth },
    ]);
    await expect.poll(() => stream.values().toSorted(), PATIENCE).toEqual([1, 2]);
  });

  test('has a reading once that is sent again', async () => {
    const timestamp = new Date().toISOString();
    const stream = await watch();
    await store(1, { timestamp });
    await expect.poll(stream.values, PATIENCE).toEqual([1]);
    await store(1, { timestamp, received_at: new Date(Date.now() + 5).toISOString() });
    await store(2);
    await expect.poll(stream.values, PATIENCE).toEqual([2, 1]);
  });

  test.each([
    ['?rack=boiler-1', [1]],
    ['?rackPrefix=boiler-', [2, 1]],
    ['?keg=pressure', [3]],
    ['?rackPrefix=boiler-&keg=pressure', []],
  ])('with %s has what matches, at its begin and later', async (query, expected) => {
    const rows = [
      { cellar, rack: 'boiler-1', value: 1 },
      { cellar, rack: 'boiler-2', value: 2 },
      { cellar, rack: 'lamp-1', keg: 'pressure', value: 3 },
    ];
    for (const row of rows) await harness.store([row]);
    const [early, witness] = await Promise.all([watch(query), watch()]);
    expect(early.values()).toEqual(expected);
    for (const row of rows) await harness.store([{ ...row, value: row.value + 10 }]);
    await expect.poll(() => witness.values().length, PATIENCE).toBe(6);
    const later = expected.map((value) => value + 10);
    await expect.poll(early.values, PATIENCE).toEqual([...later, ...expected]);
  });

  test('holds the newest readings of an event and counts the others', async () => {
    const stream = await watch('?limit=2');
    await harness.store(
      Array.from({ length: 50 }, (_, index) => ({ cellar, rack: `r${index}`, value: index })),
    );
    await expect.poll(() => stream.values().length + stream.more(), PATIENCE).toBe(50);
    expect(stream.values()).toHaveLength(2);
  });

  test('counts what is too much to be read', async () => {
    const [all, some] = await Promise.all([watch('?limit=1'), watch('?limit=1&keg=other')]);
    await harness.clickhouse.command({
      query: `INSERT INTO readings_stored (cellar, rack, keg, value, timestamp, received_at, key_id)
        SELECT '${cellar}', concat('r', toString(number)), 'k', number, now64(9), now64(3), 'key' FROM numbers(12000)`,
    });
    await expect.poll(() => all.values().length + all.more(), PATIENCE).toBe(12_000);
    expect(all.events.every(({ data }) => data.isComplete)).toBe(true);
    await expect.poll(() => some.events.some(({ data }) => !data.isComplete), PATIENCE).toBe(true);
    expect(some.values()).toEqual([]);
  });

  test('counts only, with limit=0', async () => {
    await store(1);
    const stream = await watch('?limit=0');
    expect(stream.events[0]?.data).toEqual({ readings: [], more: 0, isComplete: true });
    await store(2);
    await expect.poll(stream.more, PATIENCE).toBe(1);
    expect(stream.values()).toEqual([]);
  });

  test('goes on after a reconnect, through key-service too', async () => {
    const stream = await watch();
    await store(1);
    await expect.poll(stream.values, PATIENCE).toEqual([1]);
    const id = stream.events.at(-1)?.id ?? '';
    stream.leave();
    await store(2);
    await store(3);
    await storeLate(4, 20);
    const url = `${harness.keyServiceUrl}/api/v1/query/cellars/${cellar}/live?limit=3`;
    const again = await openLive(url, { cookie: harness.cookie, 'last-event-id': id });
    streams.push(again);
    await expect.poll(again.values, PATIENCE).toEqual([3, 2, 1]);
    expect(again.more()).toBe(0);
    await store(5);
    await expect.poll(again.values, PATIENCE).toEqual([5, 3, 2, 1]);
    const few = await watch('?limit=1', { cookie: harness.cookie, 'last-event-id': id });
    expect([few.values(), few.more()]).toEqual([[5], 2]);
  });
});

describe('who may read', () => {
  test('a key sees its racks', async () => {
    const { secret } = await harness.createKey(cellar, { rackPrefix: 'boiler-' });
    const key = { 'x-api-key': secret };
    const [stream, witness] = [await watch('', key), await watch()];
    await store(1, { rack: 'boiler-1' });
    await store(2, { rack: 'lamp-1' });
    await store(3, { rack: 'boiler-2' });
    await expect.poll(witness.values, PATIENCE).toEqual([3, 2, 1]);
    await expect.poll(stream.values, PATIENCE).toEqual([3, 1]);
    expect((await watch('?rack=lamp-1', key)).status).toBe(403);
  });

  test('a revoked key is cut off, and another stays', async () => {
    const [revoked, other] = await Promise.all([harness.createKey(cellar), harness.createKey(cellar)]);
    const stream = await watch('', { 'x-api-key': revoked.secret });
    const kept = await watch('', { 'x-api-key': other.secret });
    await harness.manage('POST', `/api/v1/cellars/${cellar}/keys/${revoked.id}/revoke`);
    expect(await stream.closed).toBe('cut off');
    await store(1);
    await expect.poll(kept.values, PATIENCE).toEqual([1]);
  });

  test('events report rejections of the cellar to users, and not to API keys', async () => {
    const { id: keyId, secret } = await harness.createKey(cellar);
    const [user, device] = [await watch(), await watch('', { 'x-api-key': secret })];
    const reporter = randomUUID();
    let sequence = 0;
    const reject = () =>
      harness.internal('POST', '/internal/v1/refusals', {
        ...{
          reporter,
          sequence: ++sequence,
          refusals: [{ keyId, code: 'invalid_json', field: null, rack: null, count: 1, agoMs: 0 }],
        },
      });
    const hasRejections = ({ events }: LiveStream) => events.some(({ data }) => data.hasRejections);
    await expect
      .poll(async () => {
        expect(await reject()).toMatchObject({ status: 204 });
        return hasRejections(user);
      }, PATIENCE)
      .toBe(true);
    await store(1);
    await expect.poll(device.values, PATIENCE).toEqual([1]);
    expect(hasRejections(device)).toBe(false);
  });

  test('nobody reads without credentials', async () => {
    expect((await watch('', {})).status).toBe(401);
  });
});

test.each(['nonsense', '2026-02-30T00:00:00Z'])('Last-Event-ID %s is rejected', async (id) => {
  const stream = await watch('', { cookie: harness.cookie, 'last-event-id': id });
  expect(stream.status).toBe(400);
});
