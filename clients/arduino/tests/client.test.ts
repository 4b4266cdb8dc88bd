import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkSketch, Device, driverPath } from './device.ts';
import { startScriptedIngest } from './scripted-ingest.ts';
import type { Reply, ScriptedIngest } from './scripted-ingest.ts';

describe.skipIf(driverPath === undefined)('the Arduino client', () => {
  let root: string;
  let ingest: ScriptedIngest;
  let device: Device;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellarman-arduino-'));
    ingest = await startScriptedIngest();
    device = new Device(root);
    await device.setClock();
  });
  afterEach(async () => {
    await device.kill();
    ingest.close();
    await rm(root, { recursive: true });
  });

  const open = (settings: Record<string, string | number> = {}) =>
    device.open({ url: ingest.url, ...settings });
  const put = async (...values: (number | string)[]) => {
    const results = [];
    for (const value of values) results.push(await device.ask('put', 'temperature', value));
    return results;
  };
  const values = () => ingest.batches.map((batch) => batch.map(({ value }) => value));
  const rejected = async () =>
    (await readFile(join(root, 'cellarman', 'rejected.ndjson'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { reading: { value: number }; code: string });

  /** Puts 1, 2, 3 and 4, then sends with these replies until nothing waits; hours pass between the requests. */
  async function drain(...script: Reply[]): Promise<number[][]> {
    ingest.script.push(...script);
    await open();
    await put(1, 2, 3, 4);
    for (let i = 0; i < 20 && (await device.status()).waiting > 0; i++) {
      await device.ask('loop');
      await device.ask('advance', 3_600_000);
    }
    expect((await device.status()).waiting).toBe(0);
    return values();
  }

  test('stores readings on flash, sends them in order, and deletes what is acknowledged', async () => {
    await open();
    expect(await put(1, 'f21.3', -0.1, 1e300, 1234567, 0.1 + 0.2)).toEqual(Array(6).fill('stored'));
    expect(ingest.batches).toEqual([]);
    await device.ask('loop');
    expect(values()).toEqual([[1, 21.3, -0.1, 1e300, 1234567, 0.1 + 0.2]]);
    const [batch = []] = ingest.batches;
    expect(batch[0]).toMatchObject({ cellar: 'demo', rack: 'r', keg: 'temperature' });
    const timestamps = batch.map(({ timestamp }) => timestamp);
    for (const timestamp of timestamps) expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(new Set(timestamps).size).toBe(6);
    expect([...timestamps].sort()).toEqual(timestamps);
    expect(Math.abs(Date.parse(timestamps[0] ?? '') - Date.now())).toBeLessThan(60_000);
    expect(await readdir(join(root, 'cellarman'))).toEqual([]);
    expect(await device.status()).toMatchObject({ state: 'idle', waiting: 0, sent: 6, spoolBytes: 0 });
  });

  test('rejects values that are not numbers', async () => {
    await open();
    expect(await put('nan', 'inf', 'fnan')).toEqual(['invalid', 'invalid', 'invalid']);
  });

  test('sends again after no response, a page of a proxy, 5xx, 429 and a 2xx that is not complete', async () => {
    const failures: Reply[] = [
      { cut: true },
      { status: 502, body: '<h1>Bad Gateway</h1>' },
      { status: 200, body: 'ok' },
      { status: 200, body: '{"status":"success","accepted":3}' },
      { status: 200, body: '{"status":"success","accepted":4' },
      { status: 202, body: '{"accepted":4}' },
      { status: 207, body: '{"accepted":3,"errors":[{"index":4,"code":"x","retryable":false}]}' },
      { status: 500 },
      { status: 429, headers: { 'retry-after': '3' } },
      { status: 200, headers: { 'content-length': '5000' }, cut: true },
    ];
    const all = await drain(...failures);
    expect(all).toEqual(Array(failures.length + 1).fill([1, 2, 3, 4]));
    const texts = ingest.batches.map((batch) => JSON.stringify(batch));
    expect(new Set(texts).size).toBe(1);
  });

  test('a 202 of a gateway confirms a batch', async () => {
    expect(await drain({ status: 202, body: '{"status":"queued","accepted":4}' })).toEqual([[1, 2, 3, 4]]);
    expect(await device.status()).toMatchObject({ waiting: 0, sent: 4 });
  });

  test('a partial response: only what is retryable is sent again, the rest is set aside with its code', async () => {
    const partial: Reply = { status: 207, errors: { 0: 'unavailable', 2: 'invalid_reading' } };
    expect(await drain(partial, { status: 503, errors: { 0: 'unavailable' } })).toEqual([
      [1, 2, 3, 4],
      [1],
      [1],
    ]);
    expect(await rejected()).toMatchObject([{ reading: { value: 3 }, code: 'invalid_reading' }]);
    expect(await device.status()).toMatchObject({ sent: 3, rejected: 1 });
  });

  test('a batch without a valid reading is set aside', async () => {
    const errors = { 0: 'rack_mismatch', 1: 'rack_mismatch', 2: 'rack_mismatch', 3: 'rack_mismatch' };
    expect(await drain({ status: 400, errors })).toHaveLength(1);
    expect((await rejected()).map(({ code }) => code)).toEqual(Object.values(errors));
  });

  test.each([413, 400])(
    '%i: halves the batch until one reading is left, and sets it aside',
    async (status) => {
      expect(await drain({ status }, { status }, { status })).toEqual([
        [1, 2, 3, 4],
        [1, 2],
        [1],
        [2, 3],
        [4],
      ]);
      expect(await rejected()).toMatchObject([{ reading: { value: 1 }, code: `code_${status}` }]);
    },
  );

  test.each([401, 403, 404, 301])('%i: keeps all and tries again each minute', async (status) => {
    const headers = { 'retry-after': '1', location: '/elsewhere' };
    ingest.script.push({ status, headers });
    await open();
    await put(1);
    await device.ask('loop');
    const alarm = { state: 'blocked', alarms: `code_${status}`, lastHttpStatus: status, waiting: 1 };
    expect(await device.status()).toMatchObject(alarm);
    await device.ask('advance', 59_000);
    await device.ask('loop');
    expect(ingest.batches).toHaveLength(1);
    await device.ask('advance', 1_000);
    await device.ask('loop');
    expect(await device.status()).toMatchObject({ state: 'idle', sent: 1 });
  });

  test('waits for Retry-After, not shorter and not longer', async () => {
    ingest.script.push({ status: 503, headers: { 'retry-after': '120' } });
    await open();
    await put(1);
    await device.ask('loop');
    await device.ask('advance', 119_000);
    await device.ask('loop');
    expect(ingest.batches).toHaveLength(1);
    await device.ask('advance', 1_000);
    await device.ask('loop');
    expect(ingest.batches).toHaveLength(2);
  });

  test('without Retry-After, waits longer after each failure, at most a minute', async () => {
    ingest.script.push(...Array<Reply>(12).fill({ status: 503 }));
    await open();
    await put(1);
    const waits = [];
    for (let i = 0; i < 12; i++) {
      for (let waited = 0; ingest.batches.length === i && waited < 70; waited++) {
        await device.ask('loop');
        if (ingest.batches.length === i) await device.ask('advance', 1000);
        else waits.push(waited);
      }
    }
    expect(waits.slice(1, 4).every((wait, index) => wait <= 2 ** index + 1)).toBe(true);
    expect(waits.slice(8).every((wait) => wait >= 29 && wait <= 61)).toBe(true);
  });

  test('a full spool rejects new readings, or drops the oldest and counts them', async () => {
    ingest.close();
    const size = { spoolBytes: 1000, segmentBytes: 300 };
    await open(size);
    const numbers = Array.from({ length: 40 }, (_, value) => value);
    const results = await put(...numbers);
    const stored = results.filter((result) => result === 'stored').length;
    expect(results).toEqual(numbers.map((number) => (number < stored ? 'stored' : 'full')));
    expect(await device.status()).toMatchObject({
      waiting: stored,
      overflowed: 40 - stored,
      alarms: 'spool_full',
    });

    ingest = await startScriptedIngest();
    await open({ ...size, dropOldest: 1 });
    expect(new Set(await put(...numbers))).toEqual(new Set(['stored']));
    const { waiting, dropped, spoolBytes } = await device.status();
    expect(waiting + dropped).toBe(stored + 40);
    expect(spoolBytes).toBeLessThanOrEqual(1000);
    while ((await device.status()).waiting > 0) await device.ask('loop');
    expect(values().flat()).toEqual(numbers.slice(-waiting));
  });

  test('with flushAfterMs, sends from RAM and writes to flash only in an outage, in order', async () => {
    ingest.script.push({}, { status: 503, headers: { 'retry-after': '60' } });
    await open({ flushAfterMs: 5000 });
    expect(await put(1, 2)).toEqual(['queued', 'queued']);
    await device.ask('loop');
    expect(await device.status()).toMatchObject({ sent: 2, waiting: 0 });
    await put(3);
    await device.ask('loop');
    await put(4);
    expect(await readdir(join(root, 'cellarman'))).toEqual([]);
    await device.ask('advance', 5000);
    await put(5);
    await device.ask('loop');
    expect(await readdir(join(root, 'cellarman'))).not.toEqual([]);
    await device.ask('advance', 60_000);
    while ((await device.status()).waiting > 0) await device.ask('loop');
    expect(values().slice(2).flat()).toEqual([3, 4, 5]);
  });

  test('readings taken before the clock was set get their time when it is, also after a restart', async () => {
    await device.ask('clock', 5000);
    await open();
    expect(await put(1, 2)).toEqual(['stored', 'stored']);
    await device.ask('loop');
    expect(ingest.batches).toEqual([]);
    await device.ask('advance', 600_000);
    await device.setClock();
    ingest.script.push({ cut: true });
    await device.ask('loop');
    await device.ask('crash');
    await device.ask('clock', 9000);
    await open();
    await put(3);
    await device.ask('loop');
    const [first = [], second = []] = ingest.batches;
    expect(second).toEqual(first);
    const age = Date.now() - Date.parse(first[0]?.timestamp ?? '');
    expect(age).toBeGreaterThan(590_000);
    expect(age).toBeLessThan(660_000);
    // The last restart never had a time.
    await device.ask('crash');
    await open();
    await device.setClock();
    while ((await device.status()).waiting > 0) await device.ask('loop');
    expect(await rejected()).toMatchObject([{ code: 'clock_not_set' }]);
  });

  test('readings in RAM from before the clock was set keep their time when they go to flash later', async () => {
    await device.ask('clock', 5000);
    await open({ flushAfterMs: 3_600_000 });
    expect(await put(1)).toEqual(['queued']);
    await device.setClock();
    ingest.script.push({ cut: true });
    await device.ask('loop');
    expect(await device.ask('flush')).toBe(true);
    await device.ask('crash');
    await open();
    await device.ask('loop');
    const [first = [], second = []] = ingest.batches;
    expect(first).toHaveLength(1);
    expect(second).toEqual(first);
  });

  test('a flash that cannot be written: readings stay in RAM, and put() reports it', async () => {
    await open({ bufferBytes: 200 });
    await device.ask('disk', 20);
    const results = await put(1, 2, 3, 4, 5, 6, 7);
    expect(results.slice(0, 4)).toEqual(Array(4).fill('queued'));
    expect(results.at(-1)).toBe('full');
    expect((await device.status()).alarms).toContain('spool_failed');
    const kept = results.filter((result) => result === 'queued').length;
    while ((await device.status()).waiting > 0) await device.ask('loop');
    expect(values().flat()).toEqual([1, 2, 3, 4, 5, 6, 7].slice(0, kept));
    await device.ask('disk', -1);
    expect(await put(8)).toEqual(['stored']);
  });

  test('does not send without TLS unless that is allowed', async () => {
    expect(await device.open({ url: ingest.url, tls: 1 })).toBe(false);
    expect(await put(1)).toEqual(['stored']);
    await device.ask('loop');
    expect(ingest.batches).toEqual([]);
    expect(await device.status()).toMatchObject({ state: 'blocked', alarms: 'invalid_options' });
  });

  test('the example compiles', async () => {
    const name = 'CellarTemperature';
    await checkSketch(join(import.meta.dirname, '..', 'examples', name, `${name}.ino`));
  });
});
