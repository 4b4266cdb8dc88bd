import { BATCH_ENCODINGS } from '@cellarman/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/rate-limit/limiter.ts';
import { post, reading, silent, startTestApp } from '../ingest-app.ts';
import type { TestApp } from '../ingest-app.ts';
import { sharedBucket } from '../rate-limit/shared-bucket.ts';
import { arrayOf, COMPRESS, linesOf, NDJSON, sendBatch } from './send-batch.ts';

/*
 * What is cheap to send must be cheap to reject, and must be charged. Buckets are not refilled here, so the remaining tokens
 * show the charge of a request.
 */

const BURST = 3_000;

let app: TestApp;
let apiKey: string;
let left: () => Promise<number>;

async function start(): Promise<void> {
  const clock = { now: 0 };
  const limiter = createLimiter({
    leases: sharedBucket(clock),
    replicas: 1,
    maxKeys: 1,
    logger: silent,
    monotonic: () => clock.now,
  });
  const policy = { perSecond: 0.001, burst: BURST };
  app = await startTestApp({ limiter });
  const id = 'key-of-the-test';
  apiKey = app.keyService.addKey({ id, ratePerSecond: policy.perSecond, rateBurst: policy.burst });
  left = async () => limiter.available(id, policy, Infinity);
}
afterEach(() => app.close());

const SPACES = Buffer.alloc(4_194_304, ' ');
const readings = (count: number) => Array.from({ length: count }, (_, n) => reading({ rack: `r${n}` }));
const rejection = (code: string) => ({ status: 'error', error: expect.any(String) as string, code });

describe('whitespace', () => {
  const good = JSON.stringify(reading());
  const gap = (bytes: number) => ' '.repeat(bytes);

  it.each([
    ['before an array', (spaces: string) => `${spaces}[${good}]`, {}],
    ['at the start of an array', (spaces: string) => `[${spaces}${good}]`, {}],
    ['after a reading', (spaces: string) => `[${good}${spaces}]`, {}],
    ['after a comma', (spaces: string) => `[${good},${spaces}${good}]`, {}],
    ['after an array', (spaces: string) => `[${good}]${spaces}`, {}],
    ['before the first line', (spaces: string) => `${spaces}\n${good}`, NDJSON],
    ['between lines', (spaces: string) => `${good}\n${spaces}\n${good}`, NDJSON],
    ['after the last line', (spaces: string) => `${good}\n${spaces}`, NDJSON],
  ])('%s may have 64 KiB in a row, not more', async (_name, text, headers) => {
    await start();
    expect((await sendBatch(app.url, apiKey, text(gap(65_500)), headers)).status).toBe(200);
    const { status, body } = await sendBatch(app.url, apiKey, text(gap(65_537)), headers);
    expect([status, body]).toEqual([400, rejection('invalid_batch')]);
  });

  it('costs as much as other bytes', async () => {
    await start();
    const sent = `[${good}${Array.from({ length: 16 }, () => `${gap(60_000)},${good}`).join('')}]`;
    expect((await sendBatch(app.url, apiKey, sent)).status).toBe(200);
    expect(await left()).toBe(BURST - Math.ceil(sent.length / 4_096));
  });
});

describe('a bomb', () => {
  it.each(BATCH_ENCODINGS)('of %s ends early, and costs what was decompressed', async (encoding) => {
    await start();
    const bomb = COMPRESS[encoding](SPACES);
    const headers = { ...NDJSON, 'content-encoding': encoding };
    const { status, body } = await sendBatch(app.url, apiKey, bomb, headers);
    expect([status, body]).toEqual([413, rejection('payload_too_large')]);
    const most = Math.max(262_144, bomb.length * 500) + 65_536;
    expect(BURST - (await left())).toBeGreaterThanOrEqual(64 + 1_024);
    expect(BURST - (await left())).toBeLessThanOrEqual(most / 4_096 + 1_024);
  });

  it.each(BATCH_ENCODINGS)('of %s is rejected with 429 when the key cannot pay for it', async (encoding) => {
    await start();
    const bomb = COMPRESS[encoding](SPACES);
    const headers = { ...NDJSON, 'content-encoding': encoding };
    const statuses: number[] = [];
    for (let n = 0; n < 60; n++) statuses.push((await sendBatch(app.url, apiKey, bomb, headers)).status);
    expect(statuses[0]).toBe(413);
    expect(statuses.at(-1)).toBe(429);
    expect(await left()).toBeLessThan(100);
  });

  it.each([
    ['that is broken at its end', (bomb: Buffer) => bomb.subarray(0, -1), 'invalid_encoding'],
    ['that its key cannot pay for', (bomb: Buffer) => bomb, 'rate_limited'],
  ])('of brotli %s leaves a debt', async (_name, change, code) => {
    await start();
    if (code === 'rate_limited') {
      const readingsBefore = linesOf(readings(BURST - 2));
      expect((await sendBatch(app.url, apiKey, readingsBefore, NDJSON)).status).toBe(200);
    }
    const before = await left();
    const headers = { ...NDJSON, 'content-encoding': 'br' };
    const answer = await sendBatch(app.url, apiKey, change(COMPRESS.br(SPACES)), headers);
    expect(answer.body).toEqual(rejection(code));
    expect(await left()).toBeLessThanOrEqual(before - 1_024);
  });

  it('is none when thousands of readings differ in nothing but the time', async () => {
    app = await startTestApp();
    apiKey = app.keyService.addKey();
    const first = Date.now() - 10_000_000;
    const sent = Array.from({ length: 10_000 }, (_, n) =>
      reading({ value: 0, timestamp: `${new Date(first + n * 1_000).toISOString().slice(0, 19)}Z` }),
    );
    for (const encoding of BATCH_ENCODINGS) {
      const body = COMPRESS[encoding](arrayOf(sent));
      const { status } = await sendBatch(app.url, apiKey, body, { 'content-encoding': encoding });
      expect([encoding, status]).toEqual([encoding, 200]);
    }
  });
});

describe('a batch over the limit', () => {
  it('costs its bytes, and nothing of it is stored', async () => {
    await start();
    expect((await post(app.url, apiKey, reading())).status).toBe(200);
    const sent = linesOf(readings(5_000));
    const { status, headers, body } = await sendBatch(app.url, apiKey, sent, NDJSON);
    expect([status, body]).toEqual([429, rejection('rate_limited')]);
    expect(await left()).toBe(BURST - 1 - Math.ceil(sent.length / 4_096));
    // Until the bucket is full: then it may pass.
    const missing = BURST - (await left());
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(missing / 0.001);
    expect(app.published).toHaveLength(1);
  });

  it('pays for each reading that is rejected, as far as it goes', async () => {
    await start();
    expect((await post(app.url, apiKey, reading())).status).toBe(200);
    const sent = arrayOf(Array.from({ length: 10_000 }, () => 7));
    expect((await sendBatch(app.url, apiKey, sent)).status).toBe(429);
    expect(await left()).toBeLessThan(BURST / 2);
  });

  it.each(BATCH_ENCODINGS)(
    'sent eight times concurrently is worked on one by one: what is enough for one is not spent on all, %s',
    async (encoding) => {
      await start();
      const body = COMPRESS[encoding](linesOf(readings(BURST - 100)));
      const headers = { ...NDJSON, 'content-encoding': encoding };
      const all = await Promise.all(
        Array.from({ length: 8 }, () => sendBatch(app.url, apiKey, body, headers)),
      );
      expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 429)]);
    },
  );

  it('sent again costs one token and no work, and does not hold back a shorter one', async () => {
    await start();
    expect((await sendBatch(app.url, apiKey, linesOf(readings(BURST - 100)), NDJSON)).status).toBe(200);
    const sent = COMPRESS.gzip('7\n'.repeat(10_000));
    const send = () => sendBatch(app.url, apiKey, sent, { ...NDJSON, 'content-encoding': 'gzip' });
    expect((await send()).body).toEqual(rejection('rate_limited'));
    const before = await left();
    const { status, headers, body } = await send();
    expect([status, body, await left()]).toEqual([429, rejection('rate_limited'), before - 1]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await sendBatch(app.url, apiKey, '7\n', NDJSON)).status).toBe(400);
  });

  it('sent again a second later is not decompressed while the key cannot pay for it', async () => {
    await start();
    const sent = COMPRESS.gzip(linesOf(readings(2 * BURST)));
    /** Returns the tokens that it cost. */
    const send = async () => {
      const before = await left();
      const { status } = await sendBatch(app.url, apiKey, sent, { ...NDJSON, 'content-encoding': 'gzip' });
      expect(status).toBe(429);
      return before - (await left());
    };
    expect((await post(app.url, apiKey, reading())).status).toBe(200);
    const ofItsBytes = Math.ceil(sent.length / 4_096);
    expect(await send()).toBeGreaterThan(ofItsBytes);
    // One token by its headers, until the second has passed.
    let cost = await send();
    expect(cost).toBe(1);
    await expect.poll(async () => (cost = await send()), { timeout: 10_000 }).not.toBe(1);
    expect(cost).toBe(ofItsBytes);
  });

  it('of its bytes alone is rejected before they are read', async () => {
    await start();
    expect((await sendBatch(app.url, apiKey, linesOf(readings(BURST - 100)), NDJSON)).status).toBe(200);
    const { status, body } = await sendBatch(app.url, apiKey, SPACES.subarray(0, 1_000_000), NDJSON);
    // Read, it would be a 400 for its whitespace.
    expect([status, body]).toEqual([429, rejection('rate_limited')]);
  });
});

it.each(['identity', ...BATCH_ENCODINGS])(
  'a batch that costs no more than the burst passes a full bucket, %s',
  async (encoding) => {
    await start();
    const text = linesOf(readings(BURST));
    const body = encoding === 'identity' ? text : COMPRESS[encoding as 'gzip'](text);
    const { status } = await sendBatch(app.url, apiKey, body, { ...NDJSON, 'content-encoding': encoding });
    expect([status, await left()]).toEqual([200, 0]);
  },
);
