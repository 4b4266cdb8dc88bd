import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { IngestSuccess } from '@cellarman/contracts';
import { partitionOf } from '@cellarman/kafka';
import { post, reading } from './ingest-app.ts';
import { PARTITIONS, startOnEngines } from './started-ingest.ts';
import type { StartedIngest } from './started-ingest.ts';

let ingest: StartedIngest;

beforeAll(async () => {
  ingest = await startOnEngines(inject('engines'));
});
afterAll(async () => {
  await ingest.stop();
  await ingest.removeTopic();
});

describe('a reading', () => {
  it('is in the topic when the response is 200, where every client would look for its key', async () => {
    const apiKey = ingest.keyService.addKey();
    const racks = Array.from({ length: 20 }, (_, n) => `rack ${n} ü`);
    const times = await Promise.all(
      racks.map(async (rack) => {
        const response = await post(ingest.url, apiKey, reading({ rack }));
        expect(response.status).toBe(200);
        return ((await response.json()) as { timestamp: string }).timestamp;
      }),
    );
    const stored = await ingest.stored();
    expect(stored.map(({ key }) => key).sort()).toEqual(racks.map((rack) => `demo/${rack}`).sort());
    for (const { partition, key, value, headers } of stored) {
      expect(partition).toBe(partitionOf(key, PARTITIONS));
      expect(headers).toEqual({ 'content-type': 'application/json', 'schema-version': '1' });
      const rack = key.slice('demo/'.length);
      expect(JSON.parse(value)).toMatchObject({ rack, received_at: times[racks.indexOf(rack)] });
    }
  });

  it('is at the offset that the response reports', async () => {
    const apiKey = ingest.keyService.addKey();
    const prefer = { prefer: 'return=representation' };
    const racks = Array.from({ length: 50 }, (_, n) => `offset ${n}`);
    const reported = await Promise.all(
      racks.map(async (rack) => {
        const response = await post(ingest.url, apiKey, reading({ rack }), prefer);
        expect(response.headers.get('preference-applied')).toBe('return=representation');
        return { rack, ...((await response.json()) as IngestSuccess) };
      }),
    );
    const stored = await ingest.stored();
    for (const { rack, stored: place } of reported) {
      expect(place).toMatchObject({ topic: ingest.topic, replicas: 1, in_sync_replicas: 1 });
      const message = stored.find(({ key }) => key === `demo/${rack}`);
      expect([message?.partition, message?.offset]).toEqual([place?.partition, place?.offset]);
    }
  });

  it('that was rejected is not', async () => {
    const apiKey = ingest.keyService.addKey();
    const before = (await ingest.stored()).length;
    expect((await post(ingest.url, apiKey, reading({ value: '1' }))).status).toBe(400);
    expect((await post(ingest.url, apiKey, reading({ cellar: 'other' }))).status).toBe(403);
    expect((await post(ingest.url, undefined, reading())).status).toBe(401);
    expect((await ingest.stored()).length).toBe(before);
  });
});

describe('a key', () => {
  it('is rejected soon after it was revoked', async () => {
    const apiKey = ingest.keyService.addKey();
    expect((await post(ingest.url, apiKey, reading())).status).toBe(200);
    ingest.keyService.changeKey(apiKey, { revokedAt: new Date().toISOString() });
    await expect
      .poll(async () => (await post(ingest.url, apiKey, reading())).status, { timeout: 5_000 })
      .toBe(401);
  });

  it('has a rate of its own, and gets Retry-After', async () => {
    const apiKey = ingest.keyService.addKey({ ratePerSecond: 0.01, rateBurst: 3 });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await post(ingest.url, apiKey, reading())).status);
    // A reading that is rejected for another reason counts too.
    expect(statuses).toEqual([200, 200, 200]);
    const response = await post(ingest.url, apiKey, '{');
    expect([response.status, await response.json()]).toEqual([
      429,
      { status: 'error', error: 'Rate limit exceeded for this API key', code: 'rate_limited' },
    ]);
    expect(response.headers.get('ratelimit-policy')).toBe('"api-key";q=3;w=300');
    const reset = /^"api-key";r=0;t=(\d+)$/.exec(response.headers.get('ratelimit') ?? '')?.[1];
    expect(Number(reset)).toBeGreaterThan(90);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(Number(reset));
  });

  it('shares the rate of its cellar with the other keys of it', async () => {
    const cellar = { cellar: `cellar-${randomUUID()}`, cellarRatePerSecond: 0.01, cellarRateBurst: 4 };
    const keys = [1, 2].map(() => ingest.keyService.addKey({ ...cellar, ratePerSecond: 1, rateBurst: 3 }));
    const send = (n: number) => post(ingest.url, keys[n % 2] ?? '', '{');
    // Rejected for another reason, which counts too.
    for (let n = 0; n < 4; n++) expect((await send(n)).status).toBe(400);
    for (const n of [0, 1]) {
      const response = await send(n);
      expect([response.status, response.headers.get('ratelimit-policy')]).toEqual([
        429,
        '"cellar";q=4;w=400',
      ]);
    }
  });
});

describe('the process', () => {
  it('says that it is ready', async () => {
    const response = await fetch(`${ingest.url}/readyz`);
    expect([response.status, await response.json()]).toEqual([
      200,
      { ready: true, parts: { kafka: { ready: true }, keys: { ready: true }, http: { ready: true } } },
    ]);
  });
});
