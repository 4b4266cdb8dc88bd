import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test, vi } from 'vitest';
import { Device, driverPath } from '../../../clients/arduino/tests/device.ts';
import { signIn } from '../client/owner.ts';
import { storedReadings } from '../client/stored-readings.ts';
import { startFailingProxy } from './failing-proxy.ts';
import type { Behaviour } from './failing-proxy.ts';

const PATIENCE = { timeout: 60_000, interval: 10 };
const BEHAVIOURS: Behaviour[] = ['open', 'unavailable', 'lost', 'bad gateway', 'open', 'lost'];

test.skipIf(driverPath === undefined)(
  'Arduino: with the one key that it claims, each reading that put() stored is in the view once, after six kill -9',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'cellarman-arduino-'));
    const proxy = await startFailingProxy(inject('product').ingestUrl);
    const owner = await signIn();
    const cellar = await owner.openCellar();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const codes = `/api/v1/cellars/${cellar.name}/claim-codes`;
    const { body: code } = await owner.ask('POST', codes, { name: 'devices', maxKeys: 2, expiresAt });
    const claim = { claimCode: String(code['secret']), claimUrl: inject('product').keyServiceUrl };
    const start = async () => {
      const device = new Device(root);
      await device.setClock();
      const settings = { url: proxy.url, ...claim, cellar: cellar.name, segmentBytes: 600 };
      expect(await device.open(settings)).toBe(true);
      return device;
    };
    let value = 0;
    const stored = new Set<number>();
    let device = await start();
    try {
      for (const behaviour of BEHAVIOURS) {
        proxy.behaviour = behaviour;
        const before = proxy.count[behaviour];
        await vi.waitFor(async () => {
          for (let i = 0; i < 5; i++, value++)
            if ((await device.ask('put', 'temperature', value)) === 'stored') stored.add(value);
          await device.ask('loop');
          await device.ask('advance', 100);
          expect(proxy.count[behaviour]).toBeGreaterThan(before + 2);
        }, PATIENCE);
        // Killed while it writes or sends, and restarted with the same clock.
        const pending = Promise.allSettled([device.ask('put', 'temperature', value++), device.ask('loop')]);
        await device.kill();
        await pending;
        device = await start();
      }
      proxy.behaviour = 'open';
      await vi.waitFor(async () => {
        await device.ask('loop');
        expect((await device.status()).waiting).toBe(0);
      }, PATIENCE);
      expect((await device.status()).rejected).toBe(0);
      expect(stored.size).toBe(value - BEHAVIOURS.length);
      const values = await vi.waitFor(async () => {
        const rows = (await storedReadings(cellar.name)).map((row) => row.value);
        expect([...stored].filter((one) => !rows.includes(one))).toEqual([]);
        return rows;
      }, PATIENCE);
      expect(new Set(values).size).toBe(values.length);
      const { body } = await owner.ask('GET', codes);
      expect(body['claimCodes']).toMatchObject([{ claimedKeys: 1, activeKeys: 1 }]);
    } finally {
      await device.kill();
      await proxy.close();
      await rm(root, { recursive: true });
    }
  },
);
