import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@cellarman/local-stack';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';
import { createLedger } from './ledger.ts';
import { startLoad } from './load.ts';
import { signIn } from './management.ts';
import { storedRows, viewOf } from './stored-rows.ts';

/* What 204 has acknowledged is stored once, and as it was sent, over kill -9 of ingest. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

const KILLS = 5;
const READINGS_BETWEEN = 500;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

test('line protocol: SIGKILL of ingest', async () => {
  const run = harness.product.run();
  const cellar = `lines-${randomUUID().slice(0, 8)}`;
  const management = await signIn(run);
  await management.createCellar(cellar);
  const { secret: apiKey } = await management.createKey(cellar);
  const ledger = createLedger({ cellar, racks: 5 });
  const load = startLoad({
    urls: harness.urls,
    apiKey,
    ledger,
    clients: 8,
    batch: 20,
    format: 'line protocol',
  });
  const more = async () => {
    const enough = ledger.acknowledged() + READINGS_BETWEEN;
    await vi.waitFor(() => expect(ledger.acknowledged()).toBeGreaterThan(enough), { timeout: 60_000 });
  };
  for (let kill = 0; kill < KILLS; kill++) {
    await more();
    await sleep(randomInt(0, 50));
    const restore = await harness.product.takeDown('ingest', 0);
    restore();
  }
  await more();
  await load.stop();
  expect(Object.keys(load.figures().answers)).toContain('204');

  const view = { ...viewOf(run), cellar };
  const verdict = await until(
    'everything acknowledged is in the view',
    async () => {
      const found = await ledger.compare(storedRows(view));
      return found.missing === 0 ? found : undefined;
    },
    { deadlineMs: 60_000 },
  ).catch(() => ledger.compare(storedRows(view)));
  expect(verdict).toMatchObject({ missing: 0, doubled: 0, changed: 0 });
});
