import Fastify from 'fastify';
import { expect, test } from 'vitest';
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
