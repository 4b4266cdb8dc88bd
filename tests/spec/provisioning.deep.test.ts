import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { startDriver } from '../../clients/conformance/tests/index.ts';
import { driver as python } from '../../clients/python/tests/python.ts';
import { signIn } from './client/owner.ts';
import { waitForReadings } from './client/stored-readings.ts';

/* docs/provisioning.md: a device that is killed at any moment ends with one key. */

const COMMANDS = {
  Node: [process.execPath, join(import.meta.dirname, '..', '..', 'clients', 'node', 'tests', 'driver.ts')],
  ...(python !== undefined && { Python: python }),
};
const DEVICES = 4;
const KILLS = 6;

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
});
