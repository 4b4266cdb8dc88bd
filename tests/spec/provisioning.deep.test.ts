import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { startDriver } from '../../clients/conformance/tests/index.ts';
import { driver as python } from '../../clients/python/tests/python.ts';
import { send } from './client/ingest.ts';
import { askManagement, signIn } from './client/owner.ts';
import { readingOf } from './client/reading.ts';
import { waitForReadings } from './client/stored-readings.ts';

/* docs/provisioning.md: a device ends with one key, also when it or key-service is killed at any moment. */

const COMMANDS = {
  Node: [process.execPath, join(import.meta.dirname, '..', '..', 'clients', 'node', 'tests', 'driver.ts')],
  ...(python !== undefined && { Python: python }),
};
const DEVICES = 4;
const KILLS = 6;
/** Of key-service, while more devices than there are keys claim one. */
const SERVICE_KILLS = 3;
const KEYS = 25;
const CLAIMANTS = 40;

describe('devices that claim their keys', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cellarman-claims-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test.each(Object.entries(COMMANDS))(
    '%s: killed again and again, each has one key and its reading is stored',
    async (_, command) => {
      const { ingestUrl, keyServiceUrl } = inject('product');
      const owner = await signIn();
      const { name: cellar } = await owner.openCellar();
      const codes = `/api/v1/cellars/${cellar}/claim-codes`;
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      const made = await owner.ask('POST', codes, { name: 'devices', maxKeys: DEVICES, expiresAt });
      const connection = { url: ingestUrl, claimUrl: keyServiceUrl, claimCode: made.body['secret'], cellar };
      const racks = Array.from({ length: DEVICES }, (_, i) => `rack-${i}`);

      const run = async (rack: string) => {
        const open = async () => {
          const driver = startDriver(command);
          const options = { ...connection, rack, spool: join(folder, rack), retryMinMs: 20, lingerMs: 0 };
          expect(await driver.send({ open: options })).toEqual({ ok: true });
          return driver;
        };
        const first = await open();
        expect(await first.send({ put: [{ rack, keg: 'k', value: 1 }] })).toEqual({ ok: 1 });
        await first.kill();
        for (let killed = 1; killed < KILLS; killed++) {
          const driver = await open();
          // A claim takes some 20 ms.
          await sleep(randomInt(0, 40));
          await driver.kill();
        }
        const last = await open();
        expect(await last.send({ close: 60_000 })).toEqual({ ok: { waiting: 0 } });
        await last.kill();
      };
      await Promise.all(racks.map(run));

      const { body } = await owner.ask('GET', codes);
      expect(body['claimCodes']).toMatchObject([
        { claimedKeys: DEVICES, activeKeys: DEVICES, state: 'used_up' },
      ]);
      const { body: list } = await owner.ask('GET', `/api/v1/cellars/${cellar}/keys`);
      const keys = list['keys'] as { id: string; rack: string }[];
      const stored = await waitForReadings(cellar, DEVICES);
      const byRack = (rows: { rack: string; id: string }[]) =>
        rows.map(({ rack, id }) => `${rack} ${id}`).toSorted();
      expect(byRack(stored.map(({ rack, key_id: id }) => ({ rack, id })))).toEqual(byRack(keys));
    },
    240_000,
  );

  test('key-service is killed during claims: each retry returns the same key, and the code gives no more than its number', async () => {
    const owner = await signIn();
    const { name: cellar } = await owner.openCellar();
    const codes = `/api/v1/cellars/${cellar}/claim-codes`;
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { body: code } = await owner.ask('POST', codes, { name: 'devices', maxKeys: KEYS, expiresAt });
    const devices = Array.from({ length: CLAIMANTS }, (_, i) => ({
      ...{ claimCode: code['secret'], rack: `rack-${i}` },
      deviceSecret: randomBytes(32).toString('base64url'),
    }));
    /** By rack: every key that a response had. */
    const received = new Map<string, Set<unknown>>();
    let [responses, withoutResponse, isOver] = [0, 0, false];

    /** Resolves with `key`, or the code of the rejection. */
    const claim = (device: (typeof devices)[number]) =>
      until(`a key for ${device.rack}`, async () => {
        const answer = await askManagement('POST', '/api/v1/claims', device).catch(() => undefined);
        if (answer === undefined) withoutResponse += 1;
        const { status = 503, body = {} } = answer ?? {};
        if (status === 429 || status === 503) return undefined;
        responses += 1;
        if (status < 300)
          received.set(device.rack, (received.get(device.rack) ?? new Set()).add(body['apiKey']));
        return status < 300 ? 'key' : body['code'];
      });
    const claimAgain = async (device: (typeof devices)[number]) => {
      let outcome;
      do outcome = await claim(device);
      while (!isOver);
      return outcome;
    };
    const claimed = [];
    for (let wave = 0, last = 0; wave <= SERVICE_KILLS; wave++) {
      const enough = responses + randomInt(1, 5);
      const first = (wave * CLAIMANTS) / (SERVICE_KILLS + 1);
      claimed.push(...devices.slice(first, first + CLAIMANTS / (SERVICE_KILLS + 1)).map(claimAgain));
      await until('some of them claim', () => responses >= enough, { everyMs: 1 });
      if (wave < SERVICE_KILLS) last = await until('another key-service', () => killKeyService(last));
    }
    isOver = true;
    const outcomes = await Promise.all(claimed);
    expect(outcomes.filter((outcome) => outcome === 'key')).toHaveLength(KEYS);
    expect(outcomes.filter((outcome) => outcome === 'claim_code_used_up')).toHaveLength(CLAIMANTS - KEYS);
    expect(withoutResponse).toBeGreaterThan(SERVICE_KILLS);

    expect(await Promise.all(devices.map(claim))).toEqual(outcomes);
    const apiKeys = [...received].map(([rack, keys]) => ({ rack, apiKey: [...keys].join(' and ') }));
    const { body } = await owner.ask('GET', codes);
    expect(body['claimCodes']).toMatchObject([{ claimedKeys: KEYS, activeKeys: KEYS }]);
    expect(new Set(apiKeys.map(({ apiKey }) => apiKey)).size).toBe(KEYS);
    for (const { rack, apiKey } of apiKeys)
      expect(await send(JSON.stringify(readingOf(cellar, { rack })), { apiKey })).toMatchObject({
        status: 200,
      });
    const { body: audit } = await owner.ask(
      'GET',
      `/api/v1/cellars/${cellar}/audit?action=key.claimed&limit=100`,
    );
    expect(audit['entries']).toHaveLength(KEYS);
  }, 240_000);
});

/** Returns the process that was killed, or undefined while it is the last one. The local stack starts another. */
async function killKeyService(last: number): Promise<number | undefined> {
  const run = JSON.parse(await readFile(join(inject('productDataDir'), 'run.json'), 'utf8')) as RunFile;
  const [pid = 0] = run.processes['key-service'] ?? [];
  if (pid === last || pid === 0) return undefined;
  process.kill(pid, 'SIGKILL');
  return pid;
}
