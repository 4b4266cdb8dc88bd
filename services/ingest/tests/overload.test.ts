import { PublishError } from '@cellarman/kafka';
import { afterEach, describe, expect, it } from 'vitest';
import { sendBatch } from './batch/send-batch.ts';
import { post, reading, startTestApp } from './ingest-app.ts';
import type { TestApp } from './ingest-app.ts';
import { openRawSocket, parseAnswers } from './raw-socket.ts';

let app: TestApp;

afterEach(() => app.close());

const unavailable = { status: 'error', error: expect.any(String) as string, code: 'unavailable' };

async function expectUnavailable(response: Response): Promise<void> {
  expect([response.status, await response.json()]).toEqual([503, unavailable]);
  const retryAfter = Number(response.headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(5);
}

describe('Kafka', () => {
  it.each(['overloaded', 'deadline', 'failed', 'unavailable', 'closed'] as const)(
    'that ends a reading with "%s" is a 503 and never a success',
    async (code) => {
      const error = new PublishError(code, 'for the log only', { maybeStored: false });
      app = await startTestApp({ lanes: { publish: () => Promise.reject(error) } });
      const response = await post(app.url, app.keyService.addKey(), reading());
      await expectUnavailable(response);
    },
  );

  it('that stalls makes new requests go away before their body, and lets them in when it goes on', async () => {
    const waiting: (() => void)[] = [];
    app = await startTestApp({
      config: { MAX_IN_FLIGHT_REQUESTS: 3 },
      lanes: { publish: () => new Promise((resolve) => void waiting.push(resolve)) },
    });
    const apiKey = app.keyService.addKey();
    const accepted = Array.from({ length: 3 }, () => post(app.url, apiKey, reading()));
    await expect.poll(() => waiting.length).toBe(3);

    // The body never arrives, but the response does.
    const raw = await openRawSocket(app.port);
    raw.send(
      `POST /api/v1/ingest HTTP/1.1\r\nHost: test\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n`,
    );
    await expect.poll(() => parseAnswers(raw.received()).map(({ status }) => status)).toEqual([503]);
    raw.socket.destroy();

    for (const settle of waiting.splice(0)) settle();
    expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const next = post(app.url, apiKey, reading());
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.();
    expect((await next).status).toBe(200);
  });

  it('is not called for a client that has gone, and its slot is free again', async () => {
    app = await startTestApp({ config: { MAX_IN_FLIGHT_REQUESTS: 1 } });
    const apiKey = app.keyService.addKey();
    expect((await post(app.url, apiKey, reading())).status).toBe(200);
    for (let n = 0; n < 3; n++) {
      const raw = await openRawSocket(app.port);
      raw.send(
        `POST /api/v1/ingest HTTP/1.1\r\nHost: test\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
      );
      raw.socket.destroy();
    }
    await expect.poll(async () => (await post(app.url, apiKey, reading())).status).toBe(200);
  });
});

describe('a client that has gone before its turn', () => {
  const head = (path: string, apiKey: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: test\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  it('holds no memory for the body that it announced', async () => {
    const tokens: ((waitMs: number) => void)[] = [];
    app = await startTestApp({
      limiter: { take: () => new Promise((resolve) => void tokens.push(resolve)) },
    });
    const apiKey = app.keyService.addKey();
    // More than all bodies may have together.
    const sockets = await Promise.all(Array.from({ length: 40 }, () => openRawSocket(app.port)));
    for (const raw of sockets) raw.send(head('/api/v1/ingest/batch', apiKey, 4_000_000));
    await expect.poll(() => tokens.length).toBe(40);
    for (const raw of sockets) raw.socket.destroy();
    await expect.poll(() => app.connections()).toBe(0);
    for (const give of tokens.splice(0)) give(0);

    // As large as those were; a small one would find room beside them.
    const gaps = Array.from({ length: 60 }, () => `,${' '.repeat(65_000)}${JSON.stringify(reading())}`);
    const next = sendBatch(app.url, apiKey, `[${JSON.stringify(reading())}${gaps.join('')}]`);
    await expect.poll(() => tokens.length).toBe(1);
    tokens[0]?.(0);
    expect((await next).status).toBe(200);
  });

  it('gets no place, and nothing of its batch is published', async () => {
    const tokens: ((waitMs: number) => void)[] = [];
    app = await startTestApp({
      config: { MAX_IN_FLIGHT_REQUESTS: 1 },
      limiter: { takeMore: () => new Promise((resolve) => void tokens.push(resolve)) },
    });
    const apiKey = app.keyService.addKey();
    const batch = JSON.stringify([reading(), reading({ rack: 'another' })]);
    const raw = await openRawSocket(app.port);
    raw.send(`${head('/api/v1/ingest/batch', apiKey, batch.length)}${batch}`);
    await expect.poll(() => tokens.length).toBe(1);
    raw.socket.destroy();
    await expect.poll(() => app.connections()).toBe(0);
    tokens[0]?.(0);

    expect((await post(app.url, apiKey, reading({ rack: 'next' }))).status).toBe(200);
    expect(app.published).toHaveLength(1);
  });
});

describe('key-service', () => {
  it('that is away is a 503 for a key that is not known here, never a 401', async () => {
    app = await startTestApp();
    const known = app.keyService.addKey();
    const unknown = app.keyService.addKey();
    expect((await post(app.url, known, reading())).status).toBe(200);
    app.keyService.break('errors');
    await expectUnavailable(await post(app.url, unknown, reading()));
    expect((await post(app.url, known, reading())).status).toBe(200);
  });
});

describe('the rate limit', () => {
  it('is a 429 before the body, and after 413', async () => {
    app = await startTestApp({ limiter: { take: () => 1_500 } });
    const apiKey = app.keyService.addKey();
    const response = await post(app.url, apiKey, '{');
    expect([response.status, await response.json()]).toEqual([
      429,
      { status: 'error', error: 'Rate limit exceeded for this API key', code: 'rate_limited' },
    ]);
    expect(response.headers.get('ratelimit-policy')).toBe('"api-key";q=10000;w=10');
    expect(response.headers.get('ratelimit')).toBe('"api-key";r=0;t=2');
    expect(['2', '3', '4']).toContain(response.headers.get('retry-after'));
    expect((await post(app.url, apiKey, 'x'.repeat(20_000))).status).toBe(413);
  });

  it('uses what a key has of its own', async () => {
    const asked: unknown[] = [];
    app = await startTestApp({
      limiter: {
        take: (_keyId, policy) => {
          asked.push(policy);
          return Promise.resolve(0);
        },
      },
    });
    await post(app.url, app.keyService.addKey({ ratePerSecond: 2.5, rateBurst: 7 }), reading());
    await post(app.url, app.keyService.addKey({ rateBurst: 7 }), reading());
    expect(asked).toEqual([
      { perSecond: 2.5, burst: 7 },
      { perSecond: 1_000, burst: 7 },
    ]);
  });
});

describe('an internal error', () => {
  it('is a 500 that says nothing of it', async () => {
    app = await startTestApp({
      limiter: {
        take: () => {
          throw new Error('secret inside');
        },
      },
    });
    const response = await post(app.url, app.keyService.addKey(), reading());
    expect([response.status, await response.json()]).toEqual([
      500,
      { status: 'error', error: 'Internal error. It has been logged', code: 'internal_error' },
    ]);
  });
});
