import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY, PRESS_KEY, startGateway } from './started-gateway.ts';
import type { StartedGateway } from './started-gateway.ts';

const timestamp = '2026-11-23T12:00:00.123456789Z';
const reading = (change: object = {}) => ({
  cellar: 'demo',
  rack: 'r1',
  keg: 't',
  value: 1,
  timestamp,
  ...change,
});
const json = (change: object = {}) => JSON.stringify(reading(change));

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const sent = (reading: object) =>
  vi.waitFor(() => expect(gateway.received).toContainEqual(expect.objectContaining(reading)), 10_000);

describe('HTTP', () => {
  it('responds 202 in words of its own, and forwards the reading as it is', async () => {
    const response = await gateway.post('/api/v1/ingest', json());
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({
      status: 'queued',
      message: 'Queued on disk by the gateway, not yet received by ingest',
    });
    await sent(reading());
  });

  it.each([
    ['401', json(), { 'x-api-key': '' }, { error: 'API key is required', status: 401 }],
    ['401', json(), { 'x-api-key': 'cm_guess' }, { error: 'Invalid API key', status: 401 }],
    ['400', '{', {}, { code: 'invalid_json' }],
    ['400', json({ more: 1 }), {}, { code: 'invalid_reading' }],
    ['400', json().replace(':1,', ':9007199254740993,'), {}, { code: 'invalid_reading' }],
    ['400', json().replace('{', '{"rack":"r2",'), {}, { code: 'invalid_reading' }],
    ['400', json({ timestamp: '2026-02-30T00:00:00Z' }), {}, { code: 'invalid_reading' }],
    ['403', json({ cellar: 'other' }), {}, { code: 'cellar_mismatch' }],
    ['403', json(), { 'x-api-key': PRESS_KEY }, { code: 'rack_mismatch' }],
    ['413', json({ rack: 'x'.repeat(20_000) }), {}, { code: 'payload_too_large' }],
    ['415', json(), { 'content-type': 'text/plain' }, { code: 'unsupported_media_type' }],
  ])('rejects like ingest: %s for %s', async (status, body, headers, expected) => {
    const response = await gateway.post('/api/v1/ingest', body, headers);
    expect(response.status).toBe(Number(status));
    expect(await response.json()).toMatchObject(expected);
  });

  it('takes arrays, and NDJSON with gzip', async () => {
    const array = await gateway.post(
      '/api/v1/ingest/batch',
      `[${json({ keg: 'a,[' })},${json({ keg: 'b"]' })}]`,
    );
    expect(array.status).toBe(202);
    expect(await array.json()).toMatchObject({ status: 'queued', accepted: 2 });
    const lines = gzipSync(`${json({ keg: 'c' })}\n\n${json({ keg: 'd' })}\n`);
    const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
    expect((await gateway.post('/api/v1/ingest/batch', lines, headers)).status).toBe(202);
    for (const keg of ['a,[', 'b"]', 'c', 'd']) await sent({ keg });
  });

  it('rejects what is not UTF-8 instead of storing other characters', async () => {
    const latin1 = Buffer.from(json({ rack: 'tür', keg: 'latin1' }), 'latin1');
    const batch = Buffer.concat([Buffer.from('['), latin1, Buffer.from(']')]);
    for (const [path, body] of [
      ['/api/v1/ingest', latin1],
      ['/api/v1/ingest/batch', batch],
    ] as const) {
      const invalid = await gateway.post(path, body);
      expect([invalid.status, await invalid.json()]).toMatchObject([400, { code: 'invalid_json' }]);
      const declared = await gateway.post(path, body, {
        'content-type': 'application/json; charset=iso-8859-1',
      });
      expect([declared.status, await declared.json()]).toMatchObject([
        415,
        { code: 'unsupported_media_type' },
      ]);
    }
  });

  it('rejects only the line of a batch that is not UTF-8, as ingest does', async () => {
    const lines = [json({ keg: 'utf8' }), json({ rack: 'tür' }), ' \t\r', json({ keg: 'utf8 too' })];
    const body = Buffer.from(lines.join('\n'), 'latin1');
    const response = await gateway.post('/api/v1/ingest/batch', body, {
      'content-type': 'application/x-ndjson',
    });
    expect(response.status).toBe(207);
    expect(await response.json()).toMatchObject({
      accepted: 2,
      errors: [{ index: 1, code: 'invalid_json' }],
    });
    await sent({ keg: 'utf8 too' });
  });

  it('lists the readings of a batch that are rejected, and keeps the others', async () => {
    const body = `[${json({ keg: 'kept' })},${json({ value: 'x' })}]`;
    const response = await gateway.post('/api/v1/ingest/batch', body);
    expect(response.status).toBe(207);
    expect(await response.json()).toMatchObject({
      status: 'partial',
      accepted: 1,
      rejected: 1,
      errors: [{ index: 1, code: 'invalid_reading', retryable: false }],
    });
    await sent({ keg: 'kept' });
    expect((await gateway.post('/api/v1/ingest/batch', `[${json({ value: 'x' })}]`)).status).toBe(400);
    expect((await gateway.post('/api/v1/ingest/batch', '[]')).status).toBe(400);
  });
});

describe('MQTT', () => {
  it('acknowledges QoS 0, 1 and 2, and maps numbers and JSON', async () => {
    const device = await gateway.connect();
    await device.publishAsync('demo/m0/t', '20.5', { qos: 0 });
    await device.publishAsync('demo/m1/t', ' 21.5\n', { qos: 1 });
    await device.publishAsync('demo/m2/t', JSON.stringify({ value: 22.5, timestamp, unit: '°C' }), {
      qos: 2,
    });
    await device.publishAsync('site/hall/m3', '{"t":23.5,"name":"x","h":40,"timestamp":1763900000123}', {
      qos: 1,
    });
    await device.endAsync();
    await sent({ cellar: 'demo', rack: 'm0', keg: 't', value: 20.5 });
    await sent({ rack: 'm1', keg: 't', value: 21.5 });
    await sent({ rack: 'm2', keg: 't', value: 22.5, timestamp });
    await sent({ rack: 'm3', keg: 't', value: 23.5, timestamp: '2025-11-23T12:13:20.123Z' });
    await sent({ rack: 'm3', keg: 'h', value: 40 });
  });

  it('sets messages aside that are no readings, with the reason, and acknowledges them', async () => {
    const device = await gateway.connect({ username: 'press', password: PRESS_KEY });
    const messages: [topic: string, payload: string | Buffer, reason: string][] = [
      ['elsewhere', '1', 'the topic matches no template'],
      ['demo/press-1/t', 'on', 'the payload is neither a number'],
      ['demo/press-1/t', '1,"rack":"r"', 'the payload is neither a number'],
      ['demo/press-1/t', '9007199254740993', 'value: '],
      ['demo/press-1/t', '{"value":1,"timestamp":"yesterday"}', 'the timestamp is neither'],
      ['demo/press-1/t', Buffer.from([0xff]), 'the payload is not UTF-8'],
      ['site/a/press-1', '{"state":"ON"}', 'the payload has no number'],
      ['demo/boiler-1/t', '1', 'The API key is restricted'],
      ['other/press-1/t', '1', 'The API key belongs to another cellar'],
    ];
    for (const [topic, payload] of messages) await device.publishAsync(topic, payload, { qos: 1 });
    await device.endAsync();
    const lines = (await readFile(join(gateway.folder, 'spool.rejected.ndjson'), 'utf8')).trim().split('\n');
    const found = lines.map((line) => JSON.parse(line) as Record<string, string>);
    expect(found).toHaveLength(messages.length);
    for (const [index, [topic, , reason]] of messages.entries())
      expect(found[index]).toMatchObject({
        key: 'press',
        topic,
        reason: expect.stringContaining(reason) as string,
      });
    expect(found[5]).toMatchObject({ payloadBase64: '/w==' });
  });

  it('gives a device of MQTT 5 the reason of a rejection', async () => {
    const device = await gateway.connect({ protocolVersion: 5 });
    await device.publishAsync('demo/m5/t', '25.5', { qos: 1 });
    await sent({ rack: 'm5', keg: 't', value: 25.5 });
    const acknowledgement = new Promise((resolve) =>
      device.publish('demo/m5/t', 'on', { qos: 1 }, (_error, packet) => resolve(packet)),
    );
    expect(await acknowledgement).toMatchObject({
      cmd: 'puback',
      reasonCode: 0x87,
      properties: { reasonString: 'the payload is neither a number nor a JSON object' },
    });
    // The connection is still open.
    await device.publishAsync('demo/m5/t', '26.5', { qos: 2 });
    await device.endAsync();
    await expect(gateway.connect({ protocolVersion: 5, password: PRESS_KEY })).rejects.toThrow(
      /Bad.*password/i,
    );
  });

  it('rejects unknown keys, subscriptions and large packets', async () => {
    await expect(gateway.connect({ password: PRESS_KEY })).rejects.toThrow(/Bad.*password|Not authorized/i);
    const device = await gateway.connect();
    await expect(device.subscribeAsync('#')).rejects.toThrow();
    const closed = new Promise((resolve) => device.once('close', () => resolve('closed')));
    device.publish('demo/r1/t', 'x'.repeat(100_000), { qos: 1 });
    expect(await closed).toBe('closed');
    await device.endAsync(true);
  });
});

it('acknowledges nothing when the spool is full, over HTTP or MQTT', async () => {
  const full = await startGateway({ INGEST_URL: 'http://127.0.0.1:1', SPOOL_MAX_BYTES: '65536' });
  const batch = `[${Array.from({ length: 500 }, (_, value) => json({ value, rack: 'x'.repeat(100) })).join()}]`;
  const response = await full.post('/api/v1/ingest/batch', batch);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('10');
  expect(await response.json()).toMatchObject({ code: 'unavailable' });

  const device = await full.connect();
  const closed = new Promise((resolve) => device.once('close', () => resolve('closed')));
  let acknowledged = 0;
  const publish = async (value: number) => {
    await device.publishAsync(`demo/${'r'.repeat(200)}/t`, String(value), { qos: 1 });
    acknowledged += 1;
  };
  let outcome: unknown;
  for (let value = 0; outcome === undefined && value < 1_000; value++)
    outcome = await Promise.race([closed, publish(value)]);
  expect(outcome).toBe('closed');
  await device.endAsync(true);
  expect(acknowledged).toBeGreaterThan(0);

  const device5 = await full.connect({ protocolVersion: 5 });
  const disconnect = new Promise((resolve) => device5.once('disconnect', resolve));
  device5.publish(`demo/${'r'.repeat(200)}/t`, '1', { qos: 1 });
  expect(await disconnect).toMatchObject({
    reasonCode: 0x97,
    properties: { reasonString: 'The gateway cannot store readings now: the spool is full' },
  });
  await device5.endAsync(true);

  const page = await (await fetch(full.url)).text();
  expect(page).toContain('<th scope="row">Last error</th><td>');
  const metrics = await (await fetch(`${full.url}/metrics`)).text();
  expect(metrics).toContain(`cellarman_gateway_waiting_readings ${acknowledged}`);
  expect((await fetch(`${full.url}/readyz`)).status).toBe(503);
  await full.stop();
});

it('shows what is waiting on the status page, without a key', async () => {
  const response = await fetch(gateway.url);
  expect(response.headers.get('content-type')).toContain('text/html');
  const page = await response.text();
  expect(page).toContain('Cellarman gateway, cellar demo');
  expect(page).not.toContain(KEY);
  for (const path of ['/livez', '/healthz', '/readyz'])
    expect((await fetch(gateway.url + path)).status).toBe(200);
});

it('claims its key with a claim code, and then forwards', async () => {
  const started = await startGateway({ CLAIM_CODE: 'cmc_x', CLAIM_RACK_PREFIX: 'hall-1/' });
  try {
    const body = json({ rack: 'hall-1/a' });
    expect((await started.post('/api/v1/ingest', body)).status).toBe(202);
    await vi.waitFor(() => expect(started.received).toHaveLength(2), { timeout: 10_000 });
    expect(started.received).toEqual([
      { claimCode: 'cmc_x', rack: 'hall-1/', deviceSecret: expect.any(String) as string },
      reading({ rack: 'hall-1/a' }),
    ]);
  } finally {
    await started.stop();
  }
});

it('needs an API key, or a claim code with a rack prefix', async () => {
  const message = 'either API_KEY, or CLAIM_CODE and CLAIM_RACK_PREFIX';
  const both = { API_KEY: KEY, CLAIM_CODE: 'cmc_x', CLAIM_RACK_PREFIX: 'hall-1/' };
  await expect(startGateway(both)).rejects.toThrow(message);
  await expect(startGateway({ CLAIM_CODE: 'cmc_x' })).rejects.toThrow(message);
});
