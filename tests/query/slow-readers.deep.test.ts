import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

/**
 * Clients that request all readings and do not read them. The response is larger than what the buffers between ClickHouse
 * and the client take, so ClickHouse cannot finish.
 */
let harness: Harness;
const PATIENCE = { timeout: 20_000, interval: 50 };
const READINGS = 400_000;

async function startWith(env: Record<string, string>): Promise<void> {
  harness = await startHarness({ MAX_QUERIES: '8', MAX_WAIT_MS: '500', QUERY_TIMEOUT_SECONDS: '60', ...env });
  await harness.clickhouse.command({
    query: `INSERT INTO readings_stored (cellar, rack, keg, value, timestamp, received_at, key_id)
      SELECT 'large', concat('rack-', repeat('x', 200)), 'k', number, now64(9) - toIntervalMillisecond(number), now64(3), 'key'
      FROM numbers(${READINGS})`,
  });
  await harness.store([{ cellar: 'small' }]);
}

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect.poll(running, PATIENCE).toBe(0);
});

const STREAM = '/api/v1/query/cellars/large/readings?format=ndjson&limit=1000000';

interface Reader {
  /** Resolves when the other end has closed the connection. */
  closed: Promise<void>;
  status: () => string;
  /** Reads on. */
  resume(): void;
}

/** Sends the request, reads the status, and then reads nothing until the test says so. */
function ask(base: string, headers: Record<string, string>): Reader {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${STREAM} HTTP/1.1\r\nHost: test\r\n${lines.join('')}\r\n`);
  let status = '';
  socket.once('data', (chunk: Buffer) => {
    status = chunk.toString('latin1').split(' ', 2)[1] ?? '';
    socket.pause();
  });
  return {
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    status: () => status,
    resume: () => void socket.resume(),
  };
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${harness.queryUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}
const running = () => metric('cellarman_query_running');

const createReaderKey = async () => ({ 'x-api-key': (await harness.createKey('large')).secret });

describe('clients that request everything', () => {
  beforeAll(() => startWith({ STREAM_RATE_WINDOW_MS: '2000' }), 60_000);
  afterAll(() => harness.stop());

  describe.each(['directly', 'through key-service'])('eight clients that never read, %s', (way) => {
    const base = () => (way === 'directly' ? harness.queryUrl : harness.keyServiceUrl);

    test('take a share of the slots, and are cut off', async () => {
      const key = await createReaderKey();
      const readers = Array.from({ length: 8 }, () => ask(base(), key));
      await expect.poll(() => readers.every((reader) => reader.status() !== ''), PATIENCE).toBe(true);
      const streams = readers.filter((reader) => reader.status() === '200');
      expect(streams).toHaveLength(2);
      expect(readers.filter((reader) => reader.status() === '503')).toHaveLength(6);
      expect(await running()).toBe(2);

      // Others are served meanwhile, by the same key and by another.
      const other = await harness.createKey('small');
      expect((await harness.ask('/cellars/small/latest', { 'x-api-key': other.secret })).status).toBe(200);
      expect((await harness.ask('/cellars/large/latest?limit=1', key)).status).toBe(200);

      await expect.poll(running, PATIENCE).toBe(0);
      // What is under way still arrives, and then the connection is closed instead of the response completed.
      for (const stream of streams) stream.resume();
      await Promise.all(streams.map((stream) => stream.closed));
    });
  });

  test('many keys together get half of the slots for streams', async () => {
    const keys = await Promise.all([createReaderKey(), createReaderKey(), createReaderKey()]);
    const readers = keys.flatMap((key) => [ask(harness.queryUrl, key), ask(harness.queryUrl, key)]);
    await expect.poll(() => readers.every((reader) => reader.status() !== ''), PATIENCE).toBe(true);
    expect(readers.filter((reader) => reader.status() === '200')).toHaveLength(4);
    expect((await harness.ask('/cellars/small/latest')).status).toBe(200);
  });

  test('a client that reads gets everything', async () => {
    const response = await fetch(`${harness.queryUrl}${STREAM}`, { headers: await createReaderKey() });
    let lines = 0;
    for await (const chunk of response.body ?? []) {
      lines += Buffer.from(chunk).toString('latin1').split('\n').length - 1;
    }
    expect(lines).toBe(READINGS);
  });
});

describe('a stream ends soon after', () => {
  // A client that reads nothing is cut off after 30 seconds.
  beforeAll(() => startWith({ STREAM_AUTHORIZE_INTERVAL_MS: '100' }), 60_000);
  afterAll(() => harness.stop());

  /** Reads until the connection is closed. */
  async function readAll(headers: Record<string, string>, during: () => Promise<unknown>): Promise<void> {
    const reader = ask(harness.queryUrl, headers);
    await expect.poll(reader.status, PATIENCE).toBe('200');
    expect(await running()).toBe(1);
    await during();
    await expect.poll(running, PATIENCE).toBe(0);
    reader.resume();
    await reader.closed;
  }

  test('its key is revoked', async () => {
    const { id, secret } = await harness.createKey('large');
    await readAll({ 'x-api-key': secret }, () =>
      harness.manage('POST', `/api/v1/cellars/large/keys/${id}/revoke`),
    );
  });

  test('its session is signed out', async () => {
    const signedIn = await fetch(`${harness.keyServiceUrl}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(harness.owner),
    });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    await readAll({ cookie }, () =>
      fetch(`${harness.keyServiceUrl}/api/v1/session`, { method: 'DELETE', headers: { cookie } }),
    );
  });

  test('its key expires', async () => {
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const { secret } = await harness.createKey('large', { expiresAt });
    await readAll({ 'x-api-key': secret }, () =>
      expect.poll(() => Date.now() > Date.parse(expiresAt), PATIENCE).toBe(true),
    );
  });
});
