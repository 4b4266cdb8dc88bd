import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { post, reading } from '../ingest-app.ts';
import { startOnEngines } from '../started-ingest.ts';
import type { StartedIngest } from '../started-ingest.ts';
import { arrayOf, COMPRESS, linesOf, NDJSON, sendBatch } from './send-batch.ts';

let ingest: StartedIngest;

beforeAll(async () => {
  ingest = await startOnEngines(inject('engines'));
});
afterAll(async () => {
  await ingest.stop();
  await ingest.removeTopic();
});

interface Sent {
  rack: string;
  value: number;
}

const numbered = (count: number, racks: number) =>
  Array.from({ length: count }, (_, value) => reading({ rack: `rack ${value % racks}`, value }));

/** What is in the topic of these racks, in the order of the topic. */
async function storedValues(racks: ReadonlySet<string>): Promise<Map<string, number[]>> {
  const byRack = new Map<string, number[]>();
  for (const { value: text } of await ingest.stored()) {
    const { rack, value } = JSON.parse(text) as Sent;
    if (racks.has(rack)) byRack.set(rack, [...(byRack.get(rack) ?? []), value]);
  }
  return byRack;
}

describe('a batch', () => {
  it('of the largest size is in the topic when the response is 200, each rack in its order', async () => {
    const apiKey = ingest.keyService.addKey();
    const sent = numbered(10_000, 13);
    const body = COMPRESS.zstd(linesOf(sent));
    const answer = await sendBatch(ingest.url, apiKey, body, { ...NDJSON, 'content-encoding': 'zstd' });
    expect(answer).toMatchObject({ status: 200, body: { status: 'success', accepted: 10_000 } });
    const racks = Array.from({ length: 13 }, (_, n) => `rack ${n}`);
    const stored = await storedValues(new Set(racks));
    for (const [n, rack] of racks.entries()) {
      expect(stored.get(rack)).toEqual(
        sent.map(({ value }) => value).filter((value) => Number(value) % 13 === n),
      );
    }
  });

  it('costs its key a token for each reading, and passes when it is larger than a full bucket', async () => {
    const apiKey = ingest.keyService.addKey({ ratePerSecond: 0.01, rateBurst: 10 });
    const status = async (count: number) =>
      (await sendBatch(ingest.url, apiKey, arrayOf(numbered(count, 1)))).status;
    const { status: first, headers } = await sendBatch(ingest.url, apiKey, arrayOf(numbered(25, 1)));
    expect([first, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([
      200,
      '"api-key";r=0;t=1600',
      '"api-key";q=10;w=1000',
    ]);
    expect(await status(1)).toBe(429);
    expect((await post(ingest.url, apiKey, reading())).status).toBe(429);

    const other = ingest.keyService.addKey({ ratePerSecond: 0.01, rateBurst: 10 });
    const rejected = async (body: string) => (await sendBatch(ingest.url, other, body)).status;
    expect((await sendBatch(ingest.url, other, arrayOf([7, 7, 7, 7]))).status).toBe(400);
    expect(await rejected(arrayOf(numbered(7, 1)))).toBe(429);
    // The one token before the body is gone, the other six are not.
    expect(await rejected(arrayOf(numbered(5, 1)))).toBe(200);
    expect(await rejected(arrayOf(numbered(1, 1)))).toBe(429);
  });
});

describe('a client that goes away', () => {
  it('in the middle of its body leaves nothing behind', async () => {
    const apiKey = ingest.keyService.addKey();
    const { hostname, port } = new URL(ingest.url);
    const before = (await ingest.stored()).length;
    for (let n = 0; n < 20; n++) {
      const socket = connect(Number(port), hostname);
      const head = `POST /api/v1/ingest/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n`;
      socket.write(`${head}Content-Length: 4000000\r\n\r\n[${JSON.stringify(reading())},`);
      await new Promise((resolve) => void setImmediate(resolve));
      socket.destroy();
    }
    // 20 bodies of 4 MB are more than all bodies may have together.
    await expect
      .poll(async () => (await sendBatch(ingest.url, apiKey, arrayOf(numbered(1, 1)))).status)
      .toBe(200);
    expect((await ingest.stored()).length - before).toBeGreaterThanOrEqual(1);
    expect((await ingest.stored()).length - before).toBeLessThan(20);
  });
});
