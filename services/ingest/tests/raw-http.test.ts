import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reading, startTestApp } from './ingest-app.ts';
import type { TestApp } from './ingest-app.ts';
import { openRawSocket, parseAnswers } from './raw-socket.ts';
import type { RawAnswer } from './raw-socket.ts';

let app: TestApp;
let apiKey: string;

beforeAll(async () => {
  app = await startTestApp({
    config: { HEADERS_TIMEOUT_MS: 300, REQUEST_TIMEOUT_MS: 1_500, MAX_HEADER_BYTES: 4_096 },
  });
  apiKey = app.keyService.addKey();
});
afterAll(() => app.close());

const CRLF = '\r\n';

function request(lines: string[], body = ''): string {
  return [...lines, 'Host: test', '', body].join(CRLF);
}

function head(...more: string[]): string[] {
  return ['POST /api/v1/ingest HTTP/1.1', `X-API-Key: ${apiKey}`, 'Content-Type: application/json', ...more];
}

/** Sends and waits until the server closes: requests it, unless the server closes by itself. */
async function exchange(bytes: string | Buffer): Promise<RawAnswer[]> {
  const raw = await openRawSocket(app.port);
  raw.send(bytes);
  return parseAnswers(await raw.closed);
}

function codeOf(answer: RawAnswer | undefined): unknown {
  return (JSON.parse(answer?.body ?? '{}') as { code?: string }).code;
}

async function expectOne(
  bytes: string | Buffer,
  status: number,
  code: string,
): Promise<RawAnswer | undefined> {
  const answers = await exchange(bytes);
  expect(answers.map((answer) => [answer.status, codeOf(answer)])).toEqual([[status, code]]);
  const [answer] = answers;
  expect(answer?.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer?.headers['connection']).toBe('close');
  return answer;
}

describe('what is not HTTP', () => {
  it.each([
    ['a foreign protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a method of its own', request(['FETCH / HTTP/1.1'])],
    ['a header with a control character', request(['GET / HTTP/1.1', 'A: b\x01c'])],
    ['a length that is no number', request(['POST /api/v1/ingest HTTP/1.1', 'Content-Length: ten'])],
    ['two lengths', request(['POST /api/v1/ingest HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2'])],
    ['a length and chunks', request(head('Content-Length: 4', 'Transfer-Encoding: chunked'), '0\r\n\r\n')],
    ['a header without a host', ['GET / HTTP/1.1', '', ''].join(CRLF)],
  ])('rejects %s with 400', async (_name, bytes) => {
    await expectOne(bytes, 400, 'invalid_request');
  });

  it('rejects a broken chunk with 400', async () => {
    await expectOne(request(head('Transfer-Encoding: chunked'), 'zz\r\n'), 400, 'invalid_request');
  });

  it('rejects too many header bytes with 431', async () => {
    await expectOne(request(['GET / HTTP/1.1', `A: ${'x'.repeat(5_000)}`]), 431, 'headers_too_large');
  });

  it('rejects CONNECT with 405', async () => {
    await expectOne(
      'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
      405,
      'method_not_allowed',
    );
  });
});

describe('bodies', () => {
  it('needs none to reject a key, and closes the connection', async () => {
    const [answer] = await exchange(
      request(['POST /api/v1/ingest HTTP/1.1', 'Content-Length: 1000000', 'Content-Type: application/json']),
    );
    expect(answer?.status).toBe(401);
    expect(answer?.headers['connection']).toBe('close');
    expect(JSON.parse(answer?.body ?? '')).toEqual({ error: 'API key is required', status: 401 });
  });

  it('takes a body without a length for an empty one', async () => {
    const [answer] = await exchange(request(head('Connection: close')));
    expect([answer?.status, codeOf(answer)]).toEqual([400, 'invalid_json']);
  });

  it('reads chunks that cut a character in two', async () => {
    const body = Buffer.from(JSON.stringify(reading({ keg: 'ü' })));
    const cut = body.indexOf(0xc3) + 1;
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    const [answer] = await exchange(
      Buffer.concat([
        Buffer.from(request(head('Transfer-Encoding: chunked', 'Connection: close'))),
        chunk(body.subarray(0, cut)),
        chunk(body.subarray(cut)),
        Buffer.from('0\r\n\r\n'),
      ]),
    );
    expect(answer?.status).toBe(200);
  });

  it('stores nothing when the client goes away in the middle', async () => {
    const body = JSON.stringify(reading());
    const before = app.published.length;
    const raw = await openRawSocket(app.port);
    raw.send(request(head(`Content-Length: ${body.length}`), body.slice(0, 20)));
    raw.socket.end();
    expect(parseAnswers(await raw.closed).map(({ status }) => status)).not.toContain(200);
    expect(app.published.length).toBe(before);
  });
});

describe('a client that is still sending', () => {
  it('gets its rejection, not a reset', async () => {
    const errors: Error[] = [];
    const raw = await openRawSocket(app.port);
    raw.socket.on('error', (error) => errors.push(error));
    raw.send(request(head('Content-Length: 5000000')));
    await expect.poll(() => raw.received()).toContain('payload_too_large');
    for (let sent = 0; sent < 4_000_000; sent += 100_000) raw.send(Buffer.alloc(100_000, 'x'));
    const answers = parseAnswers(await raw.closed);
    expect([answers.map(({ status }) => status), errors]).toEqual([[413], []]);
  });
});

describe('Expect', () => {
  it('invites the body of a request that is welcome', async () => {
    const body = JSON.stringify(reading());
    const raw = await openRawSocket(app.port);
    raw.send(request(head('Expect: 100-continue', `Content-Length: ${body.length}`, 'Connection: close')));
    await expect.poll(() => raw.received()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    raw.send(body);
    expect(parseAnswers(await raw.closed).map(({ status }) => status)).toEqual([100, 200]);
  });

  it('rejects immediately where the headers are enough', async () => {
    const answers = await exchange(
      request(['POST /api/v1/ingest HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 100']),
    );
    expect(answers.map(({ status }) => status)).toEqual([401]);
  });

  it('ignores what it does not know', async () => {
    const body = JSON.stringify(reading());
    const bytes = request(head('Expect: tea', `Content-Length: ${body.length}`, 'Connection: close'), body);
    expect((await exchange(bytes)).map(({ status }) => status)).toEqual([200]);
  });
});

describe('paths', () => {
  it('takes HTTP/1.0 without a host', async () => {
    const body = JSON.stringify(reading());
    const lines = [
      `X-API-Key: ${apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const old = ['POST /api/v1/ingest HTTP/1.0', ...lines, '', body].join(CRLF);
    expect((await exchange(old)).map(({ status }) => status)).toEqual([200]);
  });

  it('has nothing at *', async () => {
    await expectOne(request(['OPTIONS * HTTP/1.1']), 404, 'not_found');
  });
});

describe('keys', () => {
  it('rejects a request with two of them', async () => {
    const [answer] = await exchange(request(head(`X-API-Key: ${apiKey}`, 'Content-Length: 0')));
    expect(JSON.parse(answer?.body ?? '')).toEqual({ error: 'Invalid API key', status: 401 });
  });
});

describe('slow clients', () => {
  it('get 408 when the headers do not end', async () => {
    await expectOne('POST /api/v1/ingest HTTP/1.1\r\nX-API', 408, 'request_timeout');
  });

  it('get 408 when the body does not end, and nothing is stored', async () => {
    const before = app.published.length;
    await expectOne(request(head('Content-Length: 100'), '{"cellar":'), 408, 'request_timeout');
    expect(app.published.length).toBe(before);
  });

  it('get 408 each when hundreds are too slow at the same moment', async () => {
    const beginnings = [
      'POST /api/v1/ingest HTTP/1.1\r\nX-API',
      request(head('Content-Length: 100'), '{"cellar":'),
    ];
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => exchange(beginnings[i % 2] ?? '')),
    );
    expect(answers.map(([answer]) => answer?.status)).toEqual(Array<number>(200).fill(408));
  });

  it('get no second response when one is under way', async () => {
    // The rejection is sent, and the body that never comes would time out later.
    const answers = await exchange(
      request(['POST /api/v1/ingest HTTP/1.1', 'X-API-Key: x', 'Content-Length: 100'], '{"cellar":'),
    );
    expect(answers.map(({ status }) => status)).toEqual([401]);
  });
});

describe('pipelining', () => {
  it('responds in order on one connection', async () => {
    const body = JSON.stringify(reading());
    const good = request(head(`Content-Length: ${body.length}`), body);
    const bad = request(head('Content-Length: 2'), '{]');
    const last = request(head(`Content-Length: ${body.length}`, 'Connection: close'), body);
    expect((await exchange(good + bad + last)).map(({ status }) => status)).toEqual([200, 400, 200]);
  });
});
