import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { compressResponses } from '../src/index.ts';

const large = { points: Array.from({ length: 500 }, (_, at) => ({ at, value: at / 10 })) };
const app = Fastify();
compressResponses(app);
app.get('/large', async () => large);
app.post('/large', async () => large);
app.get('/small', async () => ({ status: 'ok' }));
app.get('/stream', async (_request, reply) =>
  reply.type('application/json').send(Readable.from([JSON.stringify(large)])),
);
app.get('/page', async (_request, reply) => reply.type('text/html').send('x'.repeat(5_000)));
afterAll(() => app.close());

const get = (url: string, accepted?: string, method: 'GET' | 'POST' = 'GET') =>
  app.inject({ url, method, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
] as const)('JSON for a client that accepts %s is sent as %s', async (accepted, encoding, decompress) => {
  const { headers, rawPayload } = await get('/large', accepted);
  expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
  expect(Number(headers['content-length'])).toBe(rawPayload.length);
  expect(rawPayload.length).toBeLessThan(JSON.stringify(large).length / 3);
  expect(JSON.parse(decompress(rawPayload).toString())).toEqual(large);
});

test('a client that accepts nothing known gets it as it is, and caches know', async () => {
  for (const accepted of [undefined, 'identity', 'zstd', 'gzip;q=0']) {
    const { headers, body } = await get('/large', accepted);
    expect(headers).toMatchObject({ vary: 'accept-encoding' });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(body)).toEqual(large);
  }
});

test.each([
  ['what a change returns, which may be a secret', 'POST', '/large'],
  ['small responses', 'GET', '/small'],
  ['streams', 'GET', '/stream'],
  ['pages', 'GET', '/page'],
] as const)('%s are not compressed', async (_name, method, url) => {
  expect((await get(url, 'br, gzip', method)).headers).not.toHaveProperty('content-encoding');
});
