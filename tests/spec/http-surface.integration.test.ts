import { INGEST_PATH } from '@cellarman/contracts';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { signIn } from './client/owner.ts';
import type { Cellar } from './client/owner.ts';
import { ask, send } from './client/ingest.ts';
import { parseRaw, sendRaw } from './client/raw-request.ts';
import { readingOf } from './client/reading.ts';
import { requirement } from './requirements/requirement.ts';

const TOO_LARGE = ' '.repeat(17_000);
let cellar: Cellar;
let apiKey: string;

beforeAll(async () => {
  cellar = await (await signIn()).openCellar();
  apiKey = (await cellar.createKey()).secret;
});

const rejection = (status: number, code: string) => ({
  status,
  body: { status: 'error', error: expect.any(String) as string, code },
});

test(
  requirement(['code.not_found', 'events.topic'], 'an unknown URL, and there are no webhooks'),
  async () => {
    for (const path of ['/', '/api/v1', '/api/v1/webhooks', '/api/v1/ingest/', '/api/v1/ingest%2f']) {
      expect(await ask(path, { method: 'POST', headers: { 'x-api-key': apiKey } }), path).toMatchObject(
        rejection(404, 'not_found'),
      );
    }
  },
);

test(requirement('code.method_not_allowed', 'another method, with those that there are'), async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await ask(INGEST_PATH, { method, headers: { 'x-api-key': apiKey } });
    expect(answer, method).toMatchObject(rejection(405, 'method_not_allowed'));
    expect(answer.headers.get('allow')).toBe('POST');
  }
});

test(
  requirement(['ingest.content-type', 'code.unsupported_media_type'], 'only application/json is taken'),
  async () => {
    const body = JSON.stringify(readingOf(cellar.name));
    for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
      expect(await send(body, { apiKey, contentType }), contentType).toMatchObject(
        rejection(415, 'unsupported_media_type'),
      );
    }
    const packed = await send(body, { apiKey, headers: { 'content-encoding': 'gzip' } });
    expect(packed).toMatchObject(rejection(415, 'unsupported_media_type'));
    for (const contentType of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
      expect((await send(body, { apiKey, contentType })).status, contentType).toBe(200);
    }
  },
);

test(requirement('code.payload_too_large', 'a body beyond 16 KiB, announced or not'), async () => {
  expect(await send(TOO_LARGE, { apiKey })).toMatchObject(rejection(413, 'payload_too_large'));
  const chunked = await ask(INGEST_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: new Blob([TOO_LARGE]).stream(),
    duplex: 'half',
  });
  expect(chunked).toMatchObject(rejection(413, 'payload_too_large'));
});

test(requirement('code.headers_too_large', 'headers beyond 8 KiB'), async () => {
  const answer = await send('{}', { apiKey, headers: { 'x-long': 'x'.repeat(9_000) } });
  expect(answer).toMatchObject(rejection(431, 'headers_too_large'));
});

test(requirement('code.invalid_request', 'what is no HTTP request'), async () => {
  for (const bytes of [
    'hello\r\n\r\n',
    'POST /api/v1/ingest HTTP/1.1\r\nContent-Length: x\r\n\r\n',
    'POST / HTTP/1.1\r\n\r\n',
  ]) {
    expect(parseRaw(await sendRaw(bytes)), bytes).toEqual(rejection(400, 'invalid_request'));
  }
});

test(requirement('code.request_timeout', 'headers that never end, and a body that never ends'), async () => {
  const { host } = new URL(inject('product').ingestUrl);
  const head = `POST ${INGEST_PATH} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${apiKey}\r\n`;
  const body = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"cellar":';
  const answers = await Promise.all([sendRaw(head), sendRaw(head + body)]);
  for (const answer of answers) expect(parseRaw(answer)).toEqual(rejection(408, 'request_timeout'));
});

describe('of two errors, the first in the order is reported', () => {
  const bad = { contentType: 'text/plain' };
  const wrongKey = 'cm_wrong';

  test(requirement('answers.order', '404 and 405 before 401'), async () => {
    expect((await ask('/api/v1/nothing')).status).toBe(404);
    expect((await ask(INGEST_PATH)).status).toBe(405);
  });

  test(requirement('answers.order', '401 before 415'), async () => {
    expect((await send('{}', { apiKey: wrongKey, ...bad })).status).toBe(401);
  });

  test(requirement('answers.order', '415 before 413'), async () => {
    expect((await send(TOO_LARGE, { apiKey, ...bad })).status).toBe(415);
  });

  test(requirement('answers.order', '413 before 429, 429 before 400'), async () => {
    const { secret } = await cellar.createKey({ rateLimit: { perSecond: 0.001, burst: 1 } });
    expect((await send('{}', { apiKey: secret })).status).toBe(400);
    expect((await send('{}', { apiKey: secret })).status).toBe(429);
    expect((await send(TOO_LARGE, { apiKey: secret })).status).toBe(413);
  });

  test(requirement('answers.order', '400 before 403'), async () => {
    const elsewhere = readingOf('another-cellar');
    expect((await send(JSON.stringify(elsewhere), { apiKey })).status).toBe(403);
    expect((await send(JSON.stringify({ ...elsewhere, value: 'x' }), { apiKey })).status).toBe(400);
  });
});
