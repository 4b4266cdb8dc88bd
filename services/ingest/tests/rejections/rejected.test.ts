import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { post, reading, startTestApp } from '../ingest-app.ts';
import type { TestApp } from '../ingest-app.ts';
import { sendBatch } from '../batch/send-batch.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const taken = () => app.rejections.take(100).map(({ atMs: _atMs, detail: _detail, ...kind }) => kind);
const LONG_AGO = '2001-01-01T00:00:00Z';

test('what is rejected of a key is counted by code and field, with the rack where it is known', async () => {
  const apiKey = app.keyService.addKey({ id: 'counted' });
  await post(app.url, apiKey, reading());
  await post(app.url, apiKey, reading({ value: '7' }));
  await post(app.url, apiKey, reading({ value: true }));
  await post(app.url, apiKey, reading({ timestamp: LONG_AGO, rack: 'boiler-7' }));
  await post(app.url, apiKey, '{');
  const of = { keyId: 'counted', rack: null, field: null, count: 1 };
  expect(taken()).toEqual([
    { ...of, code: 'invalid_reading', field: 'value', count: 2 },
    { ...of, code: 'timestamp_out_of_range', field: 'timestamp', rack: 'boiler-7' },
    { ...of, code: 'invalid_json' },
  ]);
});

test('each rejected reading of a batch counts', async () => {
  const apiKey = app.keyService.addKey({ id: 'batch' });
  const bad = reading({ timestamp: LONG_AGO, rack: 'boiler-8' });
  await sendBatch(app.url, apiKey, JSON.stringify([reading(), bad, bad, reading({ keg: '' })]));
  const of = { keyId: 'batch', rack: null, field: null, count: 1 };
  expect(taken()).toEqual([
    { ...of, code: 'timestamp_out_of_range', field: 'timestamp', rack: 'boiler-8', count: 2 },
    { ...of, code: 'invalid_reading', field: 'keg' },
  ]);
});

test('an expired key is distinguished from a revoked one, although the response is as the specification says', async () => {
  const expired = app.keyService.addKey({ id: 'expired', expiresAt: LONG_AGO });
  const revoked = app.keyService.addKey({ id: 'revoked' });
  await post(app.url, revoked, reading());
  app.keyService.changeKey(revoked, { revokedAt: new Date().toISOString() });
  await post(app.url, expired, reading());
  await vi.waitFor(async () => expect((await post(app.url, revoked, reading())).status).toBe(401), {
    timeout: 20_000,
  });
  expect(taken()).toMatchObject([
    { keyId: 'expired', code: 'key_expired' },
    { keyId: 'revoked', code: 'key_revoked' },
  ]);
});

test('the detail is the message that the client got, without the value', async () => {
  const apiKey = app.keyService.addKey({ id: 'detail' });
  await post(app.url, apiKey, reading({ value: 'secret' }));
  const [{ detail } = {}] = app.rejections.take(1);
  expect(detail).toBe('"value" must be a number, not a string');
});

test('requests without a known key belong to no key and are only counted', async () => {
  app.rejections.takeUnauthenticated();
  await post(app.url, `cm_${'0'.repeat(36)}`, reading());
  await post(app.url, 'not a key', reading());
  await post(app.url, undefined, reading());
  expect(taken()).toEqual([]);
  expect(app.rejections.takeUnauthenticated()).toEqual({ missing: 1, unknown: 2 });
});
