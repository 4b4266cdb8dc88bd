import { INGEST_PATH } from '@cellarman/contracts';
import { beforeAll, expect, inject, test } from 'vitest';
import { signIn } from './client/owner.ts';
import type { Cellar } from './client/owner.ts';
import { ask, send } from './client/ingest.ts';
import { readingOf, secondsAgo } from './client/reading.ts';
import { waitForReadings } from './client/stored-readings.ts';
import { requirement } from './requirements/requirement.ts';

let cellar: Cellar;
let apiKey: string;

beforeAll(async () => {
  cellar = await (await signIn()).openCellar();
  apiKey = (await cellar.createKey()).secret;
});

test(
  requirement(
    [
      'service.accepts',
      'ingest.one-reading',
      'ingest.body',
      'success.http-status',
      'success.status',
      'success.message',
    ],
    'a good reading gets 200 and exactly three fields',
  ),
  async () => {
    const { status, headers, body } = await send(JSON.stringify(readingOf(cellar.name)), { apiKey });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual({
      status: 'success',
      message: 'Data ingested successfully',
      timestamp: expect.any(String) as string,
    });
  },
);

test(
  requirement(
    [
      'service.identity',
      'reading.cellar',
      'reading.rack',
      'reading.keg',
      'reading.value',
      'reading.timestamp',
    ],
    'all five fields are in the view as they were sent',
  ),
  async () => {
    const own = await (await signIn()).openCellar();
    const { secret } = await own.createKey();
    const sent = readingOf(own.name, { keg: 'Vorlauf °C / 🍺', value: -0.1, timestamp: secondsAgo(30) });
    expect((await send(JSON.stringify(sent), { apiKey: secret })).status).toBe(200);
    const [stored] = await waitForReadings(own.name, 1);
    expect(stored).toMatchObject({
      ...sent,
      timestamp: sent.timestamp.replace('T', ' ').replace('Z', '.000000000'),
    });
  },
);

test(requirement('reading.value', 'whole and decimal numbers are stored to the last bit'), async () => {
  const own = await (await signIn()).openCellar();
  const { secret } = await own.createKey();
  const values = [0, 7, -21, 3.7758, 0.1, -1e-7, 1e30, 5e-324, 1.7976931348623157e308, 9007199254740992];
  for (const value of values) {
    const answer = await send(JSON.stringify(readingOf(own.name, { value })), { apiKey: secret });
    expect(answer.body).toMatchObject({ status: 'success' });
  }
  const stored = await waitForReadings(own.name, values.length);
  const ascending = (a: number, b: number) => a - b;
  expect(stored.map(({ value }) => value).sort(ascending)).toEqual([...values].sort(ascending));
});

test(
  requirement(
    ['reading.value', 'answers.nothing-changed', 'code.payload_too_large'],
    'the largest body that is taken, with a number of 16,000 digits, is read back to the last bit',
  ),
  async () => {
    const own = await (await signIn()).openCellar();
    const { secret } = await own.createKey();
    const body = (digits: number) =>
      JSON.stringify(readingOf(own.name)).replace('21.5', `3.${'7'.repeat(digits)}`);
    const digits = 16_384 - body(0).length;
    expect((await send(body(digits + 1), { apiKey: secret })).status).toBe(413);
    expect((await send(body(digits), { apiKey: secret })).status).toBe(200);
    const [stored] = await waitForReadings(own.name, 1);
    expect(stored?.value).toBe(Number(`3.${'7'.repeat(digits)}`));
  },
);

test(
  requirement(
    ['success.timestamp', 'answers.received-at'],
    'the timestamp of the response is the received_at that is stored',
  ),
  async () => {
    const own = await (await signIn()).openCellar();
    const { id, secret } = await own.createKey();
    const { body } = await send(JSON.stringify(readingOf(own.name)), { apiKey: secret });
    expect(body['timestamp']).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    const [stored] = await waitForReadings(own.name, 1);
    expect(stored).toMatchObject({
      key_id: id,
      received_at: String(body['timestamp']).replace('T', ' ').replace('Z', ''),
    });
  },
);

test(
  requirement('ingest.batch', 'an array is rejected as a whole, and one connection takes many readings'),
  async () => {
    const reading = readingOf(cellar.name);
    const rejected = await send(JSON.stringify([reading]), { apiKey });
    expect(rejected).toMatchObject({ status: 400, body: { code: 'invalid_reading' } });
    const first = await send(JSON.stringify(reading), { apiKey });
    expect(first.headers.get('connection')).toBe('keep-alive');
  },
);

test(
  requirement(['versioning.path', 'service.base-address'], 'the URL is the base URL and /api/v1/ingest'),
  async () => {
    expect(INGEST_PATH).toBe('/api/v1/ingest');
    const body = JSON.stringify(readingOf(cellar.name));
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
    for (const base of inject('product').ingestUrls) {
      const answer = await fetch(new URL('/api/v1/ingest', base), { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
    }
  },
);

test(requirement('versioning.others', 'other prefixes are not found'), async () => {
  for (const path of ['/ingest', '/api/ingest', '/api/v0/ingest', '/api/v2/ingest', '/API/v1/ingest']) {
    const answer = await ask(path, { method: 'POST', headers: { 'x-api-key': apiKey } });
    expect(answer, path).toMatchObject({ status: 404, body: { status: 'error', code: 'not_found' } });
  }
});

test(requirement('service.no-read-back', 'the service of readings gives none back'), async () => {
  const answer = await ask(INGEST_PATH, { headers: { 'x-api-key': apiKey } });
  expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
  expect(answer.headers.get('allow')).toBe('POST');
});
