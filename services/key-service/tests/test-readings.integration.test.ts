import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSendToIngest } from '../src/test-readings/send-to-ingest.ts';
import { makeCellar } from './made.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

const API_KEY = 'cm_not-in-any-log';
const STORED = { topic: 'readings', partition: 3, offset: 88_412, acknowledged_after_ms: 4 };
const SUCCESS = {
  status: 'success',
  message: 'Data ingested successfully',
  timestamp: '2026-11-21T06:30:00.123Z',
};

let ingest: Server;
let respond: { status: number; headers?: Record<string, string>; body: string };
let received: { headers: IncomingHttpHeaders; body: Record<string, unknown> }[] = [];
let service: ServiceUnderTest;
let path: string;

beforeAll(async () => {
  ingest = createServer((request, response) => {
    void request.toArray().then((parts) => {
      const body = JSON.parse(Buffer.concat(parts as Buffer[]).toString()) as Record<string, unknown>;
      received.push({ headers: request.headers, body });
      response.writeHead(respond.status, respond.headers).end(respond.body);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => ingest.once('listening', resolve));
  const url = `http://127.0.0.1:${(ingest.address() as AddressInfo).port}`;
  service = await startServiceUnderTest({ INGEST_URL: url, LOG_LEVEL: 'trace' });
  path = `/api/v1/cellars/${(await makeCellar(service)).name}/test-readings`;
});
afterAll(async () => {
  await service.stop();
  ingest.close();
});
beforeEach(() => {
  received = [];
});

const send = () =>
  service.admin.call<Record<string, unknown>>('POST', path, {
    ...{ apiKey: API_KEY, rack: 'boiler', keg: 'test', value: 1.5 },
  });

it('forwards the reading with the key, and returns where it is stored', async () => {
  respond = { status: 200, body: JSON.stringify({ ...SUCCESS, stored: STORED, later: 'field' }) };
  const { status, body } = await send();
  expect([status, body]).toMatchObject([
    200,
    { status: 200, code: null, error: null, receivedAt: SUCCESS.timestamp, stored: STORED },
  ]);
  const [request] = received;
  expect(request?.headers).toMatchObject({ 'x-api-key': API_KEY, prefer: 'return=representation' });
  const { cellar, ...reading } = request?.body ?? {};
  expect(path).toContain(String(cellar));
  expect(reading).toEqual(body['reading']);
  expect(reading).toMatchObject({ rack: 'boiler', keg: 'test', value: 1.5 });
});

it('works with an ingest that does not report where it is stored', async () => {
  respond = { status: 200, body: JSON.stringify(SUCCESS) };
  expect((await send()).body).toMatchObject({ status: 200, receivedAt: SUCCESS.timestamp, stored: null });
});

it.each([
  [401, { error: 'Invalid API key', status: 401 }, { code: null, error: 'Invalid API key' }],
  [403, { status: 'error', error: 'no', code: 'cellar_mismatch' }, { code: 'cellar_mismatch', error: 'no' }],
  [429, { status: 'error', error: 'slow', code: 'rate_limited' }, { retryAfterSeconds: 7 }],
])(
  'returns a rejection with %i as the result, because the session is fine',
  async (status, body, expected) => {
    respond = { status, headers: { 'retry-after': '7' }, body: JSON.stringify(body) };
    const response = await send();
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status, receivedAt: null, stored: null, ...expected });
  },
);

it.each([
  ['a proxy responds', 502, '<html>'],
  ['the response is of something else', 200, '{"status":"success"}'],
])('is 503 when %s', async (_, status, body) => {
  respond = { status, body };
  expect(await send()).toMatchObject({ status: 503, body: { code: 'unavailable' } });
});

it('is 503 without the URL of ingest', async () => {
  const reading = { cellar: 'c', rack: 'r', keg: 'k', value: 1, timestamp: '2026-11-21T06:30:00Z' };
  await expect(createSendToIngest(undefined)(reading, API_KEY)).rejects.toMatchObject({
    code: 'unavailable',
  });
});

it('logs no key', async () => {
  respond = { status: 502, body: '<html>' };
  await send();
  expect(service.log.join('\n')).not.toContain(API_KEY);
});
