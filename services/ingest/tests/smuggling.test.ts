import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reading, startTestApp } from './ingest-app.ts';
import type { TestApp } from './ingest-app.ts';
import { openRawSocket, parseAnswers } from './raw-socket.ts';

/*
 * Requests that a proxy in front and this service could parse differently. Whatever is sent, the service must not store a
 * reading that the proxy did not see as one, and every response must match its request.
 */

let app: TestApp;
let apiKey: string;
const body = JSON.stringify(reading());

beforeAll(async () => {
  app = await startTestApp({ config: { HEADERS_TIMEOUT_MS: 300, REQUEST_TIMEOUT_MS: 1_500 } });
  apiKey = app.keyService.addKey();
});
afterAll(() => app.close());

/** Header lines are as given: each shape is one line that is not as it should be. */
function post(headers: string[], sent = body, requestLine = 'POST /api/v1/ingest HTTP/1.1'): string {
  const lines = [requestLine, `X-API-Key: ${apiKey}`, 'Content-Type: application/json', ...headers];
  return [...lines, '', sent].join('\r\n');
}

const HOST = 'Host: test';
const LENGTH = `Content-Length: ${body.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const CHUNKS = `${chunk(body)}0\r\n\r\n`;
/** What an attacker hides behind another request. */
const hidden = () => post([HOST, LENGTH, 'Connection: close']);

/** Returns the responses until the server closes, and the number of stored readings. */
async function exchange(bytes: string): Promise<{ answers: [number, string | undefined][]; stored: number }> {
  const before = app.published.length;
  const raw = await openRawSocket(app.port);
  raw.send(Buffer.from(bytes, 'latin1'));
  const answers = parseAnswers(await raw.closed).map((answer): [number, string | undefined] => [
    answer.status,
    (JSON.parse(answer.body || '{}') as { code?: string }).code,
  ]);
  return { answers, stored: app.published.length - before };
}

const REJECTED: [string, () => string][] = [
  ['Content-Length and Transfer-Encoding', () => post([HOST, LENGTH, CHUNKED], CHUNKS)],
  ['Transfer-Encoding and Content-Length', () => post([HOST, CHUNKED, LENGTH], CHUNKS)],
  ['a coding besides chunked', () => post([HOST, 'Transfer-Encoding: gzip, chunked'], CHUNKS)],
  ['identity besides chunked', () => post([HOST, 'Transfer-Encoding: identity, chunked'], CHUNKS)],
  ['chunked that is not the last coding', () => post([HOST, 'Transfer-Encoding: chunked, identity'], CHUNKS)],
  ['no coding at all', () => post([HOST, 'Transfer-Encoding: identity'], CHUNKS)],
  ['an unknown coding', () => post([HOST, 'Transfer-Encoding: xchunked'], CHUNKS)],
  ['chunked twice', () => post([HOST, CHUNKED, CHUNKED], CHUNKS)],
  ['a coding behind a vertical tab', () => post([HOST, 'Transfer-Encoding: \x0bchunked'], CHUNKS)],
  ['a coding on a folded line', () => post([HOST, 'Transfer-Encoding:\r\n chunked'], CHUNKS)],
  ['chunks in HTTP/1.0', () => post([HOST, CHUNKED], CHUNKS, 'POST /api/v1/ingest HTTP/1.0')],
  ['the same length twice', () => post([HOST, LENGTH, LENGTH])],
  ['a list of lengths', () => post([HOST, `${LENGTH}, ${body.length}`])],
  ['a length with a sign', () => post([HOST, `Content-Length: +${body.length}`])],
  ['a hexadecimal length', () => post([HOST, 'Content-Length: 0x10'])],
  ['an empty length', () => post([HOST, 'Content-Length: '])],
  ['a length beyond 64 bits', () => post([HOST, 'Content-Length: 99999999999999999999999'])],
  ['a name with a space before the colon', () => post([HOST, `Content-Length : ${body.length}`])],
  ['a name with a space', () => post([HOST, 'X Y: 1', LENGTH])],
  ['an empty name', () => post([HOST, ': 1', LENGTH])],
  ['a line without a colon', () => post([HOST, 'Forwarded', LENGTH])],
  ['a folded line', () => post([HOST, 'X-A: 1\r\n  2', LENGTH])],
  ['a first line that is folded', () => 'GET /livez HTTP/1.1\r\n Host: test\r\n\r\n'],
  ['two hosts', () => post([HOST, 'Host: other', LENGTH])],
  ['one host twice', () => post([HOST, HOST, LENGTH])],
  ['a host that is none', () => post(['Host: a b/c?', LENGTH])],
  ['bare line feeds', () => post([HOST, LENGTH]).replaceAll('\r\n', '\n')],
  ['one bare line feed', () => post([HOST, 'X-A: 1\nX-B: 2', LENGTH])],
  ['a bare carriage return', () => post([HOST, 'X-A: 1\rX-B: 2', LENGTH])],
  ['NUL in a value', () => post([HOST, 'X-A: 1\0', LENGTH])],
  ['NUL in a name', () => post([HOST, 'X\0: 1', LENGTH])],
  ['NUL in the address', () => 'GET /a\0b HTTP/1.1\r\nHost: test\r\n\r\n'],
  ['bytes beyond ASCII in the address', () => 'GET /\xff HTTP/1.1\r\nHost: test\r\n\r\n'],
  ['a fragment', () => post([HOST, LENGTH], body, 'POST /api/v1/ingest#/other HTTP/1.1')],
  ['a backslash for a slash', () => post([HOST, LENGTH], body, 'POST \\api\\v1\\ingest HTTP/1.1')],
  ['the address of a server alone', () => 'GET test:80 HTTP/1.1\r\nHost: test\r\n\r\n'],
  ['HTTP/0.9', () => 'GET /livez\r\n\r\n'],
  ['HTTP/0.9 by name', () => post([HOST, LENGTH], body, 'POST /api/v1/ingest HTTP/0.9')],
  ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/1.2', () => post([HOST, LENGTH], body, 'POST /api/v1/ingest HTTP/1.2')],
  ['HTTP in lower case', () => post([HOST, LENGTH], body, 'POST /api/v1/ingest http/1.1')],
  ['a method in lower case', () => post([HOST, LENGTH], body, 'post /api/v1/ingest HTTP/1.1')],
  ['tabs in the first line', () => 'GET\t/livez\tHTTP/1.1\r\nHost: test\r\n\r\n'],
  ['a chunk that is longer than its size', () => post([HOST, CHUNKED], `5\r\n${body}\r\n0\r\n\r\n`)],
  ['a size beyond 64 bits', () => post([HOST, CHUNKED], `fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`)],
  ['a size with 0x', () => post([HOST, CHUNKED], `0x5\r\n${body}\r\n0\r\n\r\n`)],
  ['a size with a sign', () => post([HOST, CHUNKED], `-1\r\n${body}\r\n0\r\n\r\n`)],
  ['a size with a space', () => post([HOST, CHUNKED], `5 \r\n${body}\r\n0\r\n\r\n`)],
  ['chunks with bare line feeds', () => post([HOST, CHUNKED], CHUNKS.replaceAll('\r\n', '\n'))],
  ['a line feed in a chunk extension', () => post([HOST, CHUNKED], `5;a\n${body}\r\n0\r\n\r\n`)],
  ['a length in the trailers', () => post([HOST, CHUNKED], `${chunk(body)}0\r\nContent-Length: 5\r\n\r\n`)],
  ['a trailer that is no field', () => post([HOST, CHUNKED], `${chunk(body)}0\r\nA b\r\n\r\n`)],
];

describe('is rejected with 400, and what stands behind it is not read', () => {
  it.each(REJECTED)('%s', async (_name, shape) => {
    expect(await exchange(shape() + hidden())).toEqual({ answers: [[400, 'invalid_request']], stored: 0 });
  });
});

describe('is rejected with its own code, and what stands behind it is not read', () => {
  it.each([
    ['another content type besides', 415, () => post([HOST, 'Content-Type: text/plain', LENGTH])],
    ['the same content type twice', 415, () => post([HOST, 'Content-Type: application/json', LENGTH])],
    ['two codings of the content', 415, () => post([HOST, ...ENCODINGS, LENGTH])],
    ['an endless chunk extension', 413, () => post([HOST, CHUNKED], `5;${'a'.repeat(20_000)}\r\n`)],
    ['a length that numbers cannot hold', 413, () => post([HOST, 'Content-Length: 9007199254740993'])],
    ['endless trailers', 431, () => post([HOST, CHUNKED], `${chunk(body)}0\r\nA: ${'x'.repeat(20_000)}`)],
    ['an endless address', 431, () => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: test\r\n\r\n`],
    ['two keys', 401, () => post([HOST, 'X-API-Key: cm_other', LENGTH])],
    ['a doubled slash', 404, () => post([HOST, LENGTH], body, 'POST //api/v1/ingest HTTP/1.1')],
    ['an encoded slash', 404, () => post([HOST, LENGTH], body, 'POST /api/v1%2Fingest HTTP/1.1')],
    ['an encoded letter', 404, () => post([HOST, LENGTH], body, 'POST /api/v1/%69ngest HTTP/1.1')],
    [
      'an encoded letter of a batch',
      404,
      () => post([HOST, LENGTH], body, 'POST /api/v1/ingest/%62atch HTTP/1.1'),
    ],
    ['the absolute form', 404, () => post([HOST, LENGTH], body, 'POST http://test/api/v1/ingest HTTP/1.1')],
    ['an encoded letter of an operations path', 404, () => 'GET /%6Detrics HTTP/1.1\r\nHost: t\r\n\r\n'],
    ['a way back', 404, () => post([HOST, LENGTH], body, 'POST /api/v1/x/../ingest HTTP/1.1')],
    [
      'another method by header',
      405,
      () => 'GET /api/v1/ingest HTTP/1.1\r\nHost: t\r\nX-HTTP-Method-Override: POST\r\n\r\n',
    ],
  ])('%s', async (_name, status, shape) => {
    const { answers, stored } = await exchange(shape() + hidden());
    expect([answers.map(([first]) => first), stored]).toEqual([[status], 0]);
  });
});

const ENCODINGS = ['Content-Encoding: identity', 'Content-Encoding: gzip'];

describe('is one reading', () => {
  it.each([
    [
      'chunks with extensions',
      () =>
        post(
          [HOST, CHUNKED, 'Connection: close'],
          `${body.length.toString(16)};a=b;c="d"\r\n${body}\r\n0\r\n\r\n`,
        ),
    ],
    [
      'trailers, which mean nothing',
      () => post([HOST, CHUNKED, 'Connection: close'], `${chunk(body)}0\r\nX-API-Key: other\r\n\r\n`),
    ],
    [
      'the name of the coding in upper case',
      () => post([HOST, 'Transfer-Encoding: CHUNKED', 'Connection: close'], CHUNKS),
    ],
    ['empty lines before', () => `\r\n\r\n${post([HOST, LENGTH, 'Connection: close'])}`],
    [
      'a query string',
      () => post([HOST, LENGTH, 'Connection: close'], body, 'POST /api/v1/ingest?x=%69 HTTP/1.1'),
    ],
    [
      'Expect twice',
      () => post([HOST, LENGTH, 'Expect: 100-continue', 'Expect: 100-continue', 'Connection: close']),
    ],
  ])('%s', async (_name, shape) => {
    const { answers, stored } = await exchange(shape());
    expect([answers.at(-1), stored]).toEqual([[200, undefined], 1]);
  });
});

describe('Upgrade', () => {
  it.each(['h2c', 'websocket', 'anything'])('to %s is ignored, and nothing may follow', async (protocol) => {
    const upgrade = post([HOST, 'Connection: Upgrade', `Upgrade: ${protocol}`, LENGTH]);
    const before = app.published.length;
    const raw = await openRawSocket(app.port);
    raw.send(upgrade + hidden());
    // Another piece, after Node has thrown away the rest of the first.
    raw.send(hidden());
    expect(parseAnswers(await raw.closed).map(({ status }) => status)).toEqual([200]);
    expect(app.published.length - before).toBe(1);
  });
});

describe('pipelining', () => {
  it('responds to complete requests before it reports that the rest is not HTTP', async () => {
    const good = post([HOST, LENGTH]);
    expect(await exchange(`${good}${good}NONSENSE / X\r\n\r\n${hidden()}`)).toEqual({
      answers: [
        [200, undefined],
        [200, undefined],
        [400, 'invalid_request'],
      ],
      stored: 2,
    });
  });

  it('responds to complete requests before it reports that a body is broken', async () => {
    const good = post([HOST, LENGTH]);
    expect(await exchange(`${good}${post([HOST, CHUNKED], 'zz\r\n')}${hidden()}`)).toEqual({
      answers: [
        [200, undefined],
        [400, 'invalid_request'],
      ],
      stored: 1,
    });
  });

  it('takes what is longer than its length for no request', async () => {
    expect(await exchange(post([HOST, `Content-Length: ${body.length - 5}`]) + hidden())).toEqual({
      answers: [
        [400, 'invalid_json'],
        [400, 'invalid_request'],
      ],
      stored: 0,
    });
  });

  it.each([
    ['401', () => `POST /api/v1/ingest HTTP/1.1\r\n${HOST}\r\n${LENGTH}\r\n\r\n${body}`, 401],
    ['404', () => `GET /nothing HTTP/1.1\r\n${HOST}\r\n\r\n`, 404],
    ['413', () => post([HOST, CHUNKED], `${chunk('x'.repeat(20_000))}0\r\n\r\n`), 413],
    ['415', () => post([HOST, LENGTH, 'Content-Encoding: gzip']), 415],
  ])('stores nothing behind a rejection that closes: %s', async (_name, rejected, status) => {
    const { answers, stored } = await exchange(post([HOST, LENGTH]) + rejected() + hidden());
    expect([answers.map(([first]) => first), stored]).toEqual([[200, status], 1]);
  });
});

it('says with CONNECT that no method is allowed', async () => {
  const raw = await openRawSocket(app.port);
  raw.send('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n');
  const [answer] = parseAnswers(await raw.closed);
  expect([answer?.status, answer?.headers['allow']]).toEqual([405, '']);
});

it('gives nothing away in the headers of a response', async () => {
  for (const bytes of [
    'nonsense\r\n\r\n',
    post([HOST, LENGTH]),
    'GET /livez HTTP/1.1\r\nHost: t\r\n\r\n',
    'GET /x HTTP/1.1\r\nHost: t\r\n\r\n',
  ]) {
    const raw = await openRawSocket(app.port);
    raw.send(bytes);
    await expect.poll(() => raw.received()).toContain('}');
    const [answer] = parseAnswers(raw.received());
    raw.socket.destroy();
    expect(answer?.headers['x-content-type-options']).toBe('nosniff');
    expect(Object.keys(answer?.headers ?? {})).not.toEqual(expect.arrayContaining(['server']));
    expect(Object.keys(answer?.headers ?? {})).not.toEqual(expect.arrayContaining(['x-powered-by']));
  }
});
