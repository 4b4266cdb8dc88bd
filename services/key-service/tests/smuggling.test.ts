import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { TOKEN, WITHOUT_ENGINES } from './without-engines.ts';

/*
 * Shapes that a proxy in front and this service could read in two ways, see the test of the same name of ingest. No
 * engine is needed: what is carried out is counted.
 */

let carriedOut = 0;
let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  const record = () => {
    carriedOut++;
    return Promise.resolve();
  };
  app = await createApp({
    ...WITHOUT_ENGINES,
    internal: { ...WITHOUT_ENGINES.internal, lastUsed: { record } },
  });
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(() => app.close());

const BODY = JSON.stringify({ uses: [] });
const HOST = 'Host: test';
const LENGTH = `Content-Length: ${BODY.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

function post(headers: string[], body = BODY, version = 'HTTP/1.1'): string {
  const lines = [`POST /internal/v1/keys/last-used ${version}`, `Authorization: Bearer ${TOKEN}`];
  return [...lines, 'Content-Type: application/json', ...headers, '', body].join('\r\n');
}

const hidden = () => post([HOST, LENGTH, 'Connection: close']);

/** Returns the statuses until the server closes, and how many requests it carried out. */
async function exchange(bytes: string) {
  const before = carriedOut;
  const socket = connect(port, '127.0.0.1');
  socket.write(Buffer.from(bytes, 'latin1'));
  const answer = await text(socket);
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  return { statuses, made: carriedOut - before, answer };
}

test('a good request is carried out', async () => {
  expect(await exchange(hidden())).toMatchObject({ statuses: [204], made: 1 });
});

describe('is rejected with 400, and what stands behind it is not read', () => {
  test.each([
    ['Content-Length and Transfer-Encoding', post([HOST, LENGTH, CHUNKED], CHUNKS)],
    ['a coding besides chunked', post([HOST, 'Transfer-Encoding: gzip, chunked'], CHUNKS)],
    ['chunks in HTTP/1.0', post([HOST, CHUNKED], CHUNKS, 'HTTP/1.0')],
    ['the same length twice', post([HOST, LENGTH, LENGTH])],
    ['two hosts', post([HOST, 'Host: other', LENGTH])],
    ['a host that is none', post(['Host: a b', LENGTH])],
    ['no host', post([LENGTH])],
    ['a folded line', post([HOST, 'X-A: 1\r\n  2', LENGTH])],
    ['a name with a space before the colon', post([HOST, `Content-Length : ${BODY.length}`])],
    ['bare line feeds', post([HOST, LENGTH]).replaceAll('\r\n', '\n')],
    ['NUL in a value', post([HOST, 'X-A: 1\0', LENGTH])],
    ['a size with 0x', post([HOST, CHUNKED], `0x5\r\n${BODY}\r\n0\r\n\r\n`)],
    ['HTTP/0.9', 'GET /livez\r\n\r\n'],
    ['HTTP/0.9 by name', post([HOST, LENGTH], BODY, 'HTTP/0.9')],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s', async (_name, bytes) => {
    const { statuses, made, answer } = await exchange(bytes + hidden());
    expect([statuses, made]).toEqual([[400], 0]);
    expect(answer).toMatch(/"code":"invalid_request"\}$/);
    expect(answer.toLowerCase()).toContain('\r\nx-content-type-options: nosniff\r\n');
    expect(answer).not.toMatch(/^(server|x-powered-by):/im);
  });
});

test('two tokens are none', async () => {
  const other = 'Authorization: Bearer other';
  expect(await exchange(post([HOST, other, LENGTH, 'Connection: close']))).toMatchObject({
    statuses: [401],
    made: 0,
  });
});

test('Upgrade is ignored, and nothing may follow', async () => {
  const upgrade = post([HOST, 'Connection: Upgrade', 'Upgrade: h2c', LENGTH]);
  expect(await exchange(upgrade + hidden())).toMatchObject({ statuses: [204], made: 1 });
});

test('complete requests get a response before the error that the rest is not HTTP', async () => {
  const good = post([HOST, LENGTH]);
  expect(await exchange(`${good}${good}NONSENSE / X\r\n\r\n${hidden()}`)).toMatchObject({
    statuses: [204, 204, 400],
    made: 2,
  });
});

test('CONNECT is rejected, and no method is allowed', async () => {
  const { statuses, answer } = await exchange('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
  expect(statuses).toEqual([405]);
  expect(answer).toContain('\r\nallow: \r\n');
});

test('a method that a path does not have is rejected before its body is read', async () => {
  const { statuses, answer } = await exchange(
    `QUERY /livez HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n${LENGTH}\r\n\r\n${BODY}`,
  );
  expect(statuses).toEqual([405]);
  expect(answer).toContain('"code":"method_not_allowed"');
});

test('half of a surrogate pair is rejected wherever it stands', async () => {
  const body = `{"email":"a@b.c","password":"${String.raw`\ud800`}"}`;
  const { statuses, answer } = await exchange(
    `POST /api/v1/session HTTP/1.1\r\n${HOST}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(statuses).toEqual([400]);
  expect(answer).toContain('"code":"invalid_json"');
});
