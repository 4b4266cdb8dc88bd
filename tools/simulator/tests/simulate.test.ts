import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SimulatorOptions } from '../src/config.ts';
import { simulate } from '../src/simulate.ts';
import type { Figures } from '../src/tally.ts';
import { accept, type IngestStub, reject, type Respond, startIngestStub } from './ingest-stub.ts';

interface Logged {
  cellar: string;
  rack: string;
  keg: string;
  value: number;
  timestamp: string;
  outcome: string;
  code?: string;
}

let directory: string;
let servers: IngestStub[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cellarman-simulator-'));
  servers = [];
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await rm(directory, { recursive: true });
});

async function ingest(respond: Respond): Promise<IngestStub> {
  const server = await startIngestStub(respond);
  servers.push(server);
  return server;
}

async function run(
  options: Partial<SimulatorOptions> & Pick<SimulatorOptions, 'urls'>,
  stop = new AbortController().signal,
): Promise<{ figures: Figures; log: Logged[]; text: string }> {
  const sendLog = join(directory, 'sent.ndjson');
  const tally = await simulate(
    {
      apiKey: 'cm_key',
      cellar: 'demo',
      racks: 10,
      rate: Infinity,
      count: 100,
      durationMs: Infinity,
      batch: 1,
      connections: 8,
      retry: true,
      giveUpAfterMs: 60_000,
      sendLog,
      json: false,
      ...options,
    },
    stop,
  );
  const text = await readFile(sendLog, 'utf8');
  const log = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Logged);
  return { figures: tally.figures(), log, text };
}

describe('a batch', () => {
  it('is a list of readings, and a retry has only those that may pass', async () => {
    const paths = new Set<unknown>();
    const server = await ingest((response, body, request) => {
      paths.add(request.url);
      const readings = JSON.parse(body) as unknown[];
      const first = readings.length === 30;
      const errors = [
        { index: 3, error: 'no', code: 'invalid_reading', retryable: false },
        { index: 7, error: 'later', code: 'unavailable', retryable: true },
      ];
      response.writeHead(first ? 503 : 200);
      response.end(JSON.stringify(first ? { status: 'partial', errors } : { status: 'success' }));
    });
    const { figures, log } = await run({ urls: [server.url], count: 60, batch: 30, connections: 1 });
    expect([...paths]).toEqual(['/api/v1/ingest/batch']);
    expect(server.bodies.map((body) => (JSON.parse(body) as unknown[]).length)).toEqual([30, 1, 30, 1]);
    expect(figures).toMatchObject({ sent: 60, accepted: 58, inFlight: 0, rejections: { unavailable: 2 } });
    expect(figures.undelivered).toEqual({ 'rejected invalid_reading': 2 });
    expect(log.filter(({ outcome }) => outcome === 'rejected').map(({ code }) => code)).toEqual([
      'invalid_reading',
      'invalid_reading',
    ]);
  });

  it('that is rejected whole is sent again whole', async () => {
    let answers = 0;
    const server = await ingest((response, body, request) => {
      if (answers++ === 0) reject(503, 'unavailable')(response, body, request);
      else accept(response, body, request);
    });
    const { figures } = await run({ urls: [server.url], count: 10, batch: 10, connections: 1 });
    expect(server.bodies).toHaveLength(2);
    expect(server.bodies[1]).toBe(server.bodies[0]);
    expect(figures).toMatchObject({ accepted: 10, rejections: { unavailable: 1 } });
  });
});

describe('what is sent', () => {
  it('is a reading of the racks round-robin, with the key, and is logged as it was sent', async () => {
    const keys = new Set<unknown>();
    const server = await ingest((response, body, request) => {
      keys.add(
        `${request.method} ${request.url} ${String(request.headers['x-api-key'])} ${request.headers['content-type']}`,
      );
      accept(response, body, request);
    });
    const { figures, log, text } = await run({ urls: [server.url] });
    expect([...keys]).toEqual(['POST /api/v1/ingest cm_key application/json']);
    expect(figures).toMatchObject({ sent: 100, accepted: 100, inFlight: 0, rejections: {}, undelivered: {} });
    expect(figures.p50Ms).toBeGreaterThan(0);
    expect(new Set(log.map(({ rack }) => rack)).size).toBe(10);
    expect(new Set(log.map(({ keg }) => keg)).size).toBeGreaterThanOrEqual(3);
    expect(log.every(({ outcome }) => outcome === 'acknowledged')).toBe(true);
    const logged = text
      .split('\n')
      .map((line) => line.replace(',"outcome":"acknowledged"', ''))
      .filter(Boolean);
    expect(logged.sort()).toEqual(server.bodies.sort());
  });

  it('has an identity of its own, also when nothing but the time differs', async () => {
    const server = await ingest(accept);
    const { log } = await run({ urls: [server.url], racks: 1, count: 2_000, connections: 32 });
    const identities = log.map(({ rack, keg, value, timestamp }) => `${rack} ${keg} ${value} ${timestamp}`);
    expect(new Set(identities).size).toBe(2_000);
    for (const { timestamp } of log) expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
  });

  it('goes to several URLs round-robin', async () => {
    const [one, two] = [await ingest(accept), await ingest(accept)];
    await run({ urls: [one.url, two.url] });
    expect([one.bodies.length, two.bodies.length]).toEqual([50, 50]);
  });

  it('keeps to the rate', async () => {
    const server = await ingest(accept);
    const { figures } = await run({ urls: [server.url], rate: 200, durationMs: 1_000, count: Infinity });
    expect(figures.sent).toBeGreaterThan(0);
    expect(figures.sent).toBeLessThanOrEqual(200);
  });
});

describe('a rejection', () => {
  it.each([
    [429, 'rate_limited'],
    [503, 'unavailable'],
    [500, 'internal_error'],
  ])('with %i is sent again as it was, until it is taken', async (status, code) => {
    const seen = new Map<string, number>();
    const server = await ingest((response, body, request) => {
      const before = seen.get(body) ?? 0;
      seen.set(body, before + 1);
      (before < 2 ? reject(status, code) : accept)(response, body, request);
    });
    const { figures, log } = await run({ urls: [server.url], count: 20 });
    expect([...seen.values()]).toEqual(Array.from({ length: 20 }, () => 3));
    expect(figures).toMatchObject({ sent: 20, accepted: 20, rejections: { [code]: 40 }, undelivered: {} });
    expect(log.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 20 }, () => 'acknowledged'));
  });

  it('is not repeated before Retry-After', async () => {
    const times: number[] = [];
    const server = await ingest((response, body, request) => {
      times.push(performance.now());
      (times.length === 1 ? reject(429, 'rate_limited', 1) : accept)(response, body, request);
    });
    await run({ urls: [server.url], count: 1 });
    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(990);
  });

  it.each([
    [400, 'invalid_reading'],
    [403, 'cellar_mismatch'],
  ])('with %i is final', async (status, code) => {
    const server = await ingest(reject(status, code));
    const { figures, log } = await run({ urls: [server.url], count: 5 });
    expect(server.bodies.length).toBe(5);
    expect(figures.undelivered).toEqual({ [`rejected ${code}`]: 5 });
    expect(log.map(({ outcome, code: logged }) => [outcome, logged])).toEqual(
      Array.from({ length: 5 }, () => ['rejected', code]),
    );
  });

  it('without a code of ours is named by its status', async () => {
    const server = await ingest((response) => {
      response.writeHead(401);
      response.end('{"error":"Invalid API key","status":401}');
    });
    expect((await run({ urls: [server.url], count: 1 })).figures.undelivered).toEqual({ 'rejected 401': 1 });
  });

  it('is final with --no-retry; after a 503 the reading may be stored', async () => {
    const limited = await ingest(reject(429, 'rate_limited'));
    const away = await ingest(reject(503, 'unavailable', 60));
    const options = { count: 3, retry: false };
    expect((await run({ urls: [limited.url], ...options })).figures.undelivered).toEqual({
      'rejected rate_limited': 3,
    });
    expect((await run({ urls: [away.url], ...options })).figures.undelivered).toEqual({
      'unknown unavailable': 3,
    });
  });
});

describe('a broken connection', () => {
  it('is followed by another try', async () => {
    const seen = new Set<string>();
    const server = await ingest((response, body, request) => {
      if (seen.has(body)) accept(response, body, request);
      else response.destroy();
      seen.add(body);
    });
    const { figures } = await run({ urls: [server.url], count: 20 });
    expect(figures).toMatchObject({ sent: 20, accepted: 20 });
    expect(seen.size).toBe(20);
  });

  it('moves to the next URL', async () => {
    const gone = await startIngestStub(accept);
    await gone.close();
    const server = await ingest(accept);
    const { figures } = await run({ urls: [gone.url, server.url], count: 20 });
    expect(figures).toMatchObject({
      sent: 20,
      accepted: 20,
      rejections: { ECONNREFUSED: expect.any(Number) as number },
    });
  });

  it('leaves the outcome open when it is given up', async () => {
    const server = await ingest((response) => response.destroy());
    const { figures, log } = await run({ urls: [server.url], count: 4, giveUpAfterMs: 200 });
    expect(figures.accepted).toBe(0);
    expect(log.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
  });

  it('to a server that is not there stores nothing for certain', async () => {
    const gone = await startIngestStub(accept);
    await gone.close();
    const { figures } = await run({ urls: [gone.url], count: 2, giveUpAfterMs: 200 });
    expect(figures.undelivered).toEqual({ 'rejected ECONNREFUSED': 2 });
  });
});

describe('the end', () => {
  it('waits for what is under way, gives up what waits, and every reading has its line', async () => {
    const stop = new AbortController();
    let answers = 0;
    const server = await ingest((response, body, request) => {
      answers += 1;
      if (answers === 50) stop.abort();
      // Half of them wait for a minute.
      (answers % 2 === 0 ? reject(429, 'rate_limited', 60) : accept)(response, body, request);
    });
    const { figures, log } = await run({ urls: [server.url], count: Infinity, connections: 40 }, stop.signal);
    expect(log.length).toBe(figures.sent);
    expect(figures.inFlight).toBe(0);
    expect(figures.accepted + (figures.undelivered['rejected rate_limited'] ?? 0)).toBe(figures.sent);
  });

  it('is an error when the log cannot be written', async () => {
    const server = await ingest(accept);
    await expect(run({ urls: [server.url], sendLog: join(directory, 'no', 'such') })).rejects.toThrow(
      'ENOENT',
    );
  });
});
