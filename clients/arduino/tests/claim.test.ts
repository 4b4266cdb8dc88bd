import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Device, driverPath } from './device.ts';
import { startScriptedIngest } from './scripted-ingest.ts';
import type { Reply, ScriptedIngest } from './scripted-ingest.ts';

/* The scenarios `claim*.json` of clients/conformance, for a device that sends when loop() is called. */

describe.skipIf(driverPath === undefined)('the Arduino client claims its key', () => {
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

  const open = (settings: Record<string, string> = {}) =>
    device.open({ url: ingest.url, claimCode: 'cmc_x', ...settings });
  const put = (value: number) => device.ask('put', 't', value);
  /** Minutes pass between the requests. */
  async function loop(times: number): Promise<void> {
    for (let i = 0; i < times; i++) {
      await device.ask('loop');
      await device.ask('advance', 120_000);
    }
  }
  /** Without power loss: what was not synced is on the disk of the host all the same. */
  async function restart(settings: Record<string, string> = {}): Promise<void> {
    await device.kill();
    device = new Device(root);
    await device.setClock();
    await open(settings);
  }
  const values = () => ingest.batches.map((batch) => batch.map(({ value }) => value));
  const secrets = () => new Set(ingest.claims.map(({ deviceSecret }) => deviceSecret));

  test('once, before the first batch, and finds it again after a restart', async () => {
    expect(await open({ rack: 'hall"1' })).toBe(true);
    await put(1);
    await loop(2);
    const deviceSecret = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    expect(ingest.claims).toEqual([{ claimCode: 'cmc_x', rack: 'hall"1', deviceSecret }]);
    expect(await device.status()).toMatchObject({ state: 'idle', sent: 1, alarms: '' });
    // Another code does not matter while there is a key.
    await restart({ rack: 'hall"1', claimCode: 'cmc_y' });
    await put(2);
    await loop(1);
    expect(ingest.claims).toHaveLength(1);
    expect(values()).toEqual([[1], [2]]);
  });

  test('again with the same secret after no response, half a response, and restarts', async () => {
    const lost: Reply[] = [{ cut: true }, { body: '{"apiKey":"cm_' }, { body: '{}' }, { cut: true }];
    ingest.script.push(...lost);
    await open();
    await put(1);
    await loop(2);
    await restart();
    await loop(1);
    await restart();
    await loop(3);
    expect(ingest.claims).toHaveLength(5);
    expect(secrets().size).toBe(1);
    expect(values()).toEqual([[1]]);
  });

  test('reports a rejection, keeps readings, and tries again each minute or after Retry-After', async () => {
    ingest.script.push({ status: 409 }, { status: 401 }, { status: 429, headers: { 'retry-after': '90' } });
    await open();
    await put(1);
    await device.ask('loop');
    expect(await device.status()).toMatchObject({
      state: 'blocked',
      waiting: 1,
      alarms: 'code_409',
      lastHttpStatus: 409,
    });
    await device.ask('advance', 59_000);
    await device.ask('loop');
    expect(ingest.claims).toHaveLength(1);
    await device.ask('advance', 1_000);
    await put(2);
    await loop(1);
    expect(await device.status()).toMatchObject({ state: 'blocked', alarms: 'code_401' });
    await device.ask('loop');
    expect(await device.status()).toMatchObject({ state: 'waiting', lastHttpStatus: 429 });
    await device.ask('advance', 89_000);
    await device.ask('loop');
    expect(ingest.claims).toHaveLength(3);
    await device.ask('advance', 1_000);
    await loop(3);
    expect(ingest.claims).toHaveLength(4);
    expect(values()).toEqual([[1], [2]]);
    expect(await device.status()).toMatchObject({ state: 'idle', sent: 2 });
  });

  test('for another rack as another device', async () => {
    await open();
    await put(1);
    await loop(2);
    await restart({ rack: 's' });
    await put(2);
    await loop(2);
    expect(ingest.claims.map(({ rack }) => rack)).toEqual(['r', 's']);
    expect(secrets().size).toBe(2);
  });

  test('not before its secret is on flash, and again if the key could not be stored', async () => {
    await open();
    await put(1);
    await device.ask('disk', 10);
    await loop(2);
    expect(ingest.claims).toEqual([]);
    expect((await device.status()).state).toBe('waiting');
    // Enough for the rack and the secret, not for the key.
    await device.ask('disk', 70);
    await loop(1);
    expect(ingest.claims).toHaveLength(1);
    expect(values()).toEqual([]);
    await device.ask('disk', -1);
    await loop(2);
    expect(ingest.claims).toHaveLength(2);
    expect(secrets().size).toBe(1);
    expect(values()).toEqual([[1]]);
    expect(await readFile(join(root, 'cellarman', 'key'), 'utf8')).toMatch(/^r\n[0-9a-f]{64}\ncm_key\n$/);
  });

  test('and does not start with a claim code and a key', async () => {
    expect(await open({ apiKey: 'cm_key' })).toBe(false);
    expect(await device.status()).toMatchObject({ state: 'blocked', alarms: 'invalid_options' });
  });
});
