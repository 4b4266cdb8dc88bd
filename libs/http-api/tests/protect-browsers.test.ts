import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createLogger } from '@cellarman/telemetry';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createHttpApp } from '../src/create-app.ts';
import { protectBrowsers } from '../src/protect-browsers.ts';

async function headersOf(forwardedProto: string, trustProxy: boolean) {
  const app = Fastify({ trustProxy });
  app.addHook('onRequest', protectBrowsers);
  app.get('/page', async (_request, reply) =>
    reply.header('content-security-policy', "default-src 'self'").send({}),
  );
  const [answer, page, missing] = await Promise.all(
    ['/openapi.json', '/page', '/nothing'].map((url) =>
      app.inject({ url, headers: { 'x-forwarded-proto': forwardedProto } }),
    ),
  );
  await app.close();
  return { answer: answer?.headers, page: page?.headers, missing: missing?.headers };
}

test('no response can run scripts, be framed or be named elsewhere, not even an error', async () => {
  const { answer, missing } = await headersOf('http', true);
  for (const headers of [answer, missing]) {
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
      'referrer-policy': 'no-referrer',
    });
  }
});

test('a response to an unknown expectation has these headers too', async () => {
  const app = createHttpApp({
    logger: createLogger({ service: 'test', version: '0', level: 'silent' }),
    maxConnections: 10,
  });
  const sent = request(await app.listen({ port: 0 }), { headers: { expect: 'the-impossible' } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(404);
  expect(response.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.resume();
  await app.close();
});

test('a page says by itself what it may do', async () => {
  expect((await headersOf('http', true)).page?.['content-security-policy']).toBe("default-src 'self'");
});

test.each([
  ['https', true, 'max-age=31536000'],
  ['http', true, undefined],
  // Who is not trusted cannot shut a host that has no HTTPS.
  ['https', false, undefined],
])(
  'a proxy that says %s, trusted: %s, makes browsers keep to HTTPS: %s',
  async (proto, isTrusted, expected) => {
    expect((await headersOf(proto, isTrusted)).answer?.['strict-transport-security']).toBe(expected);
  },
);
