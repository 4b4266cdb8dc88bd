import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openLive } from './live-stream.ts';
import type { LiveStream } from './live-stream.ts';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };
const PATH = '/api/v1/query/cellars/demo/live?limit=100';

let harness: Harness;
const streams: LiveStream[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.leave();
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function open(headers: Record<string, string>, base = harness.queryUrl): Promise<LiveStream> {
  const stream = await openLive(`${base}${PATH}`, headers);
  streams.push(stream);
  return stream;
}

const createReader = async () => ({ 'x-api-key': (await harness.createKey('demo')).secret });

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${harness.queryUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}
const openStreams = () => metric('cellarman_query_live_streams');

describe('streams', () => {
  beforeAll(async () => {
    harness = await startHarness({
      ...{ LIVE_POLL_INTERVAL_MS: '50', MAX_LIVE_STREAMS: '3', MAX_LIVE_STREAMS_PER_READER: '2' },
      ...{ STREAM_RATE_WINDOW_MS: '2000', MAX_WAIT_MS: '60000', QUERY_TIMEOUT_SECONDS: '60' },
    });
  });
  afterAll(() => harness.stop());

  test('are bounded, for one reader and in all, and share their polls', async () => {
    const [one, two] = await Promise.all([createReader(), createReader()]);
    const first = await open(one);
    expect([first.status, (await open(one)).status]).toEqual([200, 200]);
    const tooMany = await open(one);
    expect([tooMany.status, await tooMany.text()]).toEqual([503, expect.stringContaining('unavailable')]);
    expect((await open(two)).status).toBe(200);
    expect((await open(two)).status).toBe(503);
    expect([await openStreams(), await metric('cellarman_query_live_cellars')]).toEqual([3, 1]);

    first.leave();
    await expect.poll(openStreams, PATIENCE).toBe(2);
    expect((await open(one)).status).toBe(200);
    for (const stream of streams) stream.leave();
    await expect.poll(openStreams, PATIENCE).toBe(0);
    expect(await metric('cellarman_query_live_cellars')).toBe(0);
  });

  test.each(['directly', 'through key-service'])(
    'a client that stops reading is dropped, and another is served: %s',
    async (way) => {
      const base = way === 'directly' ? harness.queryUrl : harness.keyServiceUrl;
      const socket = stopReading(base, await createReader());
      const reader = await open(await createReader(), base);
      await expect.poll(openStreams, PATIENCE).toBe(2);
      const isOne = async () => (await openStreams()) === 1;
      for (let round = 0; !(await isOne()); round += 1) {
        expect(round).toBeLessThan(2_000);
        await storeLarge(round);
      }
      await expect.poll(() => reader.values().length, PATIENCE).toBeGreaterThan(0);
      expect(await openStreams()).toBe(1);
      socket.resume();
      await expect.poll(() => socket.closed, PATIENCE).toBe(true);
    },
  );
});

/** Sends the request and reads nothing of the response. */
function stopReading(base: string, headers: Record<string, string>): Socket {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: test\r\n${lines.join('')}\r\n`);
  socket.pause();
  return socket;
}

/** An event of 150 kB. */
const storeLarge = (round: number) =>
  harness.clickhouse.command({
    query: `INSERT INTO readings_stored (cellar, rack, keg, value, timestamp, received_at, key_id)
      SELECT 'demo', concat(toString(${round}), repeat('x', 250)), repeat('ä', 256), number, now64(9), now64(3), 'key' FROM numbers(100)`,
  });

describe('a stream ends with a hint to reconnect', () => {
  test('before it reaches the longest time', async () => {
    harness = await startHarness({ STREAM_MAX_SECONDS: '2' });
    const stream = await open(await createReader());
    expect(await stream.closed).toBe('ended');
    expect(stream.retries).toHaveLength(2);
    await harness.stop();
  });

  test('when the service stops, and through key-service it just ends', async () => {
    harness = await startHarness();
    const stream = await open(await createReader());
    const forwarded = await open(await createReader(), harness.keyServiceUrl);
    await expect.poll(openStreams, PATIENCE).toBe(2);
    await harness.stop();
    expect([await stream.closed, await forwarded.closed]).toEqual(['ended', 'ended']);
    expect(stream.retries).toHaveLength(2);
  });
});
