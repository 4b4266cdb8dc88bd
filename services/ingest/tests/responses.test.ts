import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post, reading, startTestApp } from './ingest-app.ts';
import type { TestApp } from './ingest-app.ts';

let app: TestApp;
let apiKey: string;

beforeAll(async () => {
  app = await startTestApp({ config: { MAX_BODY_BYTES: 1_000 } });
  apiKey = app.keyService.addKey();
});
afterAll(() => app.close());
beforeEach(() => {
  app.published.length = 0;
});

/** The status and the exact body. */
async function answer(response: Promise<Response>): Promise<[number, unknown]> {
  const { status, ...rest } = await response.then(async (r) => ({ status: r.status, body: await r.json() }));
  return [status, rest.body];
}

function error(code: string, text: unknown = expect.any(String) as unknown): unknown {
  return { status: 'error', error: text, code };
}

describe('success', () => {
  it('is 200 with the time at which the server received the reading', async () => {
    const before = Date.now();
    const response = await post(app.url, apiKey, reading());
    const body = (await response.json()) as { timestamp: string };
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      status: 'success',
      message: 'Data ingested successfully',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
    });
    const received = Date.parse(body.timestamp);
    expect(received).toBeGreaterThanOrEqual(before);
    expect(received).toBeLessThanOrEqual(Date.now());
    expect(JSON.parse(app.published[0]?.value ?? '')).toMatchObject({ received_at: body.timestamp });
  });

  it('has where the reading is stored, for clients that prefer a representation', async () => {
    const preferring = (prefer: string) => post(app.url, apiKey, reading(), { prefer });
    const response = await preferring('wait=5, return=representation');
    expect(response.headers.get('preference-applied')).toBe('return=representation');
    expect(await response.json()).toMatchObject({
      status: 'success',
      stored: {
        ...{ topic: 'cellarman.readings.v1', partition: 2, offset: 1, replicas: 3, in_sync_replicas: 2 },
        replicas_checked_at: '1970-01-01T00:00:00.000Z',
        acknowledged_after_ms: expect.any(Number) as unknown,
      },
    });
    const other = await preferring('return=minimal');
    expect(other.headers.get('preference-applied')).toBeNull();
    expect(await other.json()).not.toHaveProperty('stored');
  });

  it('carries the fields as they were sent, in one line and in the order of the contract', async () => {
    const { timestamp } = reading() as { timestamp: string };
    const fraction = timestamp.replace('Z', '.000100Z');
    const body = `{ "timestamp":"${fraction}", "value": 21.50e0 ,"keg":"t\\u00e9mp \\"x\\"",\n"rack":"Kessel 1 ü","cellar":"demo"}`;
    expect((await post(app.url, apiKey, body)).status).toBe(200);
    const [message] = app.published;
    expect(message?.key).toBe('demo/Kessel 1 ü');
    expect(message?.headers).toEqual({ 'content-type': 'application/json', 'schema-version': '1' });
    expect(message?.value).toMatch(
      /^\{"cellar":"demo","rack":"Kessel 1 ü","keg":"t\\u00e9mp \\"x\\"","value":21\.50e0,"timestamp":"[^"]+\.000100Z","received_at":"[^"]+","key_id":"key-[0-9a-f]{12}"\}$/,
    );
  });

  it('passes the trace of the client on, with its sampled flag', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await post(app.url, apiKey, reading(), { traceparent });
    await post(app.url, apiKey, reading(), { traceparent: 'nonsense' });
    expect(app.published.map(({ headers }) => headers['traceparent'])).toEqual([traceparent, undefined]);
  });
});

describe('401', () => {
  it.each([
    ['absent', undefined, 'API key is required'],
    ['empty', '', 'API key is required'],
    ['not of the format', 'abc', 'Invalid API key'],
    ['mistyped', 'cm_000000000000000000000000000000AAAAAA', 'Invalid API key'],
  ])('for a key that is %s', async (_name, key, text) => {
    const response = await post(app.url, key, reading());
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: text, status: 401 });
    expect(response.headers.get('www-authenticate')).toBe('ApiKey header="X-API-Key"');
    expect(app.published).toEqual([]);
  });

  it('does not look up a key with a wrong checksum', async () => {
    const { lookups } = app.keyService;
    const before = lookups.length;
    const last = apiKey.at(-1) === 'A' ? 'B' : 'A';
    expect(await answer(post(app.url, apiKey.slice(0, -1) + last, reading()))).toEqual([
      401,
      { error: 'Invalid API key', status: 401 },
    ]);
    expect(lookups.length).toBe(before);
  });

  it('for an unknown, a revoked and an expired key', async () => {
    const { generateApiKey } = await import('@cellarman/api-key');
    const revoked = app.keyService.addKey({ revokedAt: '2020-01-01T00:00:00Z' });
    const expired = app.keyService.addKey({ expiresAt: new Date(Date.now() - 1).toISOString() });
    const both = app.keyService.addKey({
      revokedAt: '2020-01-01T00:00:00Z',
      expiresAt: '2020-01-01T00:00:00Z',
    });
    const invalid = [401, { error: 'Invalid API key', status: 401 }];
    expect(await answer(post(app.url, generateApiKey(), reading()))).toEqual(invalid);
    expect(await answer(post(app.url, revoked, reading()))).toEqual(invalid);
    expect(await answer(post(app.url, both, reading()))).toEqual(invalid);
    expect(await answer(post(app.url, expired, reading()))).toEqual([
      401,
      { error: 'API key has expired', status: 401 },
    ]);
  });
});

describe('404 and 405', () => {
  it.each([
    ['GET', '/', 404, 'not_found'],
    ['POST', '/api/v1/ingest/', 404, 'not_found'],
    ['POST', '/api/v1/INGEST', 404, 'not_found'],
    ['GET', '/%zz', 404, 'not_found'],
    ['POST', '/%e0%a4%a', 404, 'not_found'],
    ['GET', '/api/v1/ingest', 405, 'method_not_allowed'],
    ['PUT', '/api/v1/ingest?x=1', 405, 'method_not_allowed'],
    ['OPTIONS', '/api/v1/ingest', 405, 'method_not_allowed'],
    ['PROPFIND', '/api/v1/ingest', 405, 'method_not_allowed'],
    ['DELETE', '/readyz', 405, 'method_not_allowed'],
  ])('%s %s', async (method, path, status, code) => {
    const response = await fetch(app.url + path, { method });
    expect([response.status, await response.json()]).toEqual([status, error(code)]);
    const allow = path.startsWith('/api') ? 'POST' : 'GET, HEAD';
    expect(response.headers.get('allow')).toBe(status === 405 ? allow : null);
  });

  it('responds to HEAD without a body', async () => {
    const response = await fetch(`${app.url}/api/v1/ingest`, { method: 'HEAD' });
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([
      405,
      'POST',
      '',
    ]);
  });
});

describe('415', () => {
  it.each([
    'text/plain',
    'application/jsonx',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'json',
    'application/ json',
    ';',
  ])('for %s', async (type) => {
    expect(await answer(post(app.url, apiKey, reading(), { 'content-type': type }))).toEqual([
      415,
      error('unsupported_media_type'),
    ]);
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=UTF-8',
    'application/json;v="1"',
  ])('not for %s', async (type) => {
    expect((await post(app.url, apiKey, reading(), { 'content-type': type })).status).toBe(200);
  });

  it('for a compressed body', async () => {
    expect(await answer(post(app.url, apiKey, reading(), { 'content-encoding': 'gzip' }))).toEqual([
      415,
      error('unsupported_media_type'),
    ]);
  });
});

describe('413', () => {
  it('by Content-Length and by counting', async () => {
    const large = JSON.stringify(reading({ keg: 'x'.repeat(2_000) }));
    expect(await answer(post(app.url, apiKey, large))).toEqual([413, error('payload_too_large')]);
    const chunked = fetch(`${app.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: new Blob([large]).stream(),
      duplex: 'half',
    });
    expect(await answer(chunked)).toEqual([413, error('payload_too_large')]);
    // Large bodies are lists, mostly.
    for (const sent of [large, new Blob([large]).stream()]) {
      const response = await fetch(`${app.url}/api/v1/ingest`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: sent,
        ...(typeof sent === 'string' ? {} : { duplex: 'half' }),
      });
      expect(await response.text()).toContain('Send batches to /api/v1/ingest/batch');
    }
  });

  it('not for a body that is just small enough, with or without a length', async () => {
    const text = JSON.stringify(reading()).padEnd(1_000);
    expect((await post(app.url, apiKey, text)).status).toBe(200);
  });
});

describe('400', () => {
  it.each([
    ['no body', '', 'invalid_json'],
    ['half a body', '{"cellar":', 'invalid_json'],
    ['a list', '[]', 'invalid_reading'],
    ['a missing field', JSON.stringify(reading({ value: undefined })), 'invalid_reading'],
    ['a number in quotes', JSON.stringify(reading({ value: '7' })), 'invalid_reading'],
    ['a field too many', JSON.stringify(reading({ more: 1 })), 'invalid_reading'],
    [
      'a date that does not exist',
      JSON.stringify(reading({ timestamp: '2026-02-30T00:00:00Z' })),
      'invalid_reading',
    ],
  ])('for %s', async (_name, body, code) => {
    expect(await answer(post(app.url, apiKey, body))).toEqual([400, error(code)]);
    expect(app.published).toEqual([]);
  });

  it('for bytes that are not UTF-8', async () => {
    const bytes = Buffer.from(JSON.stringify(reading({ keg: 'tÿ' })), 'latin1');
    expect(await answer(post(app.url, apiKey, bytes))).toEqual([400, error('invalid_json')]);
  });
});

describe('timestamp_out_of_range', () => {
  const HOUR = 3_600_000;
  const at = (ms: number) => reading({ timestamp: new Date(ms).toISOString() });

  it('for a time in the future beyond the allowed skew, and gives the time of the server', async () => {
    expect((await post(app.url, apiKey, at(Date.now() + 290_000))).status).toBe(200);
    expect(await answer(post(app.url, apiKey, at(Date.now() + 310_000)))).toEqual([
      400,
      error('timestamp_out_of_range', expect.stringMatching(/more than 300 seconds .* server is \d{4}-.*Z$/)),
    ]);
  });

  it('for a time before the retention of the cellar', async () => {
    const key = app.keyService.addKey({ retentionDays: 2 });
    expect((await post(app.url, key, at(Date.now() - 47 * HOUR))).status).toBe(200);
    expect(await answer(post(app.url, key, at(Date.now() - 49 * HOUR)))).toEqual([
      400,
      error('timestamp_out_of_range', expect.stringMatching(/older than the 2 days .* server is \d{4}-.*Z$/)),
    ]);
  });
});

describe('403', () => {
  it('for another cellar, another rack, another prefix, another scope', async () => {
    const forRack = app.keyService.addKey({ rack: 'boiler-1' });
    const forPrefix = app.keyService.addKey({ rackPrefix: 'boiler-' });
    const reader = app.keyService.addKey({ scopes: ['read'] });
    expect(await answer(post(app.url, apiKey, reading({ cellar: 'other' })))).toEqual([
      403,
      error('cellar_mismatch'),
    ]);
    expect((await post(app.url, forRack, reading())).status).toBe(200);
    expect(await answer(post(app.url, forRack, reading({ rack: 'boiler-12' })))).toEqual([
      403,
      error('rack_mismatch'),
    ]);
    expect((await post(app.url, forPrefix, reading({ rack: 'boiler-9' }))).status).toBe(200);
    expect(await answer(post(app.url, forPrefix, reading({ rack: 'Boiler-9' })))).toEqual([
      403,
      error('rack_mismatch'),
    ]);
    expect(await answer(post(app.url, reader, reading()))).toEqual([403, error('insufficient_scope')]);
  });
});

describe('the order of rejections', () => {
  it('is 404, 405, 401, 415, 413, 400, 403', async () => {
    const large = 'x'.repeat(2_000);
    const wrong = { 'content-type': 'text/plain' };
    const status = async (response: Promise<Response>) => (await response).status;
    const send = (method: string, path: string, headers: Record<string, string>, body: string) =>
      status(fetch(app.url + path, { method, headers, body }));
    expect(await send('POST', '/nowhere', wrong, large)).toBe(404);
    expect(await send('PUT', '/api/v1/ingest', wrong, large)).toBe(405);
    expect(await status(post(app.url, undefined, large, wrong))).toBe(401);
    expect(await status(post(app.url, apiKey, large, wrong))).toBe(415);
    expect(await status(post(app.url, apiKey, large))).toBe(413);
    expect(await status(post(app.url, apiKey, reading({ cellar: 'other', value: null })))).toBe(400);
    expect(await status(post(app.url, apiKey, reading({ cellar: 'other' })))).toBe(403);
  });
});

describe('the metrics', () => {
  it('count each response by its outcome', async () => {
    const fresh = await startTestApp();
    const key = fresh.keyService.addKey();
    await post(fresh.url, key, reading());
    await post(fresh.url, key, '{');
    await post(fresh.url, undefined, '{');
    const text = await fresh.metrics();
    await fresh.close();
    const counted = [...text.matchAll(/^cellarman_ingest_responses_total\{outcome="(\w+)"\} ([1-9]\d*)$/gm)];
    expect(counted.map(([, outcome, n]) => `${outcome} ${n}`).sort()).toEqual([
      'invalid_json 1',
      'success 1',
      'unauthorized 1',
    ]);
  });
});
