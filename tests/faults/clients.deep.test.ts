import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDriver } from '@cellarman/client-conformance';
import type { Driver } from '@cellarman/client-conformance';
import { READINGS_TOPIC } from '@cellarman/contracts';
import { until } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { driver as python } from '../../clients/python/tests/python.ts';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';
import { createLedger } from './ledger.ts';
import type { Ledger, StoredRow } from './ledger.ts';
import { signIn } from './management.ts';
import { storedRows, viewOf } from './stored-rows.ts';
import { topicRows } from './topic-rows.ts';

/* What `put` has acknowledged is stored once and in order, whatever happens to the client and to ingest. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

const COMMANDS = {
  Node: [process.execPath, join(import.meta.dirname, '..', '..', 'clients', 'node', 'tests', 'driver.ts')],
  ...(python !== undefined && { Python: python }),
};
const CLIENTS = 4;
const KILLS = 10;
const LEAST_IN_A_LIFE = 100;
const RACKS = 5;
const SPOOLED = { retryMinMs: 50, retryMaxMs: 500, blockedMs: 500, lingerMs: 20 };

let harness: Harness;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellarman-clients-'));
  harness = await startHarness();
});
afterAll(async () => {
  await harness.stop();
  await rm(folder, { recursive: true });
});

interface Device {
  cellar: string;
  ledger: Ledger;
  open: () => Promise<Driver>;
}

async function createDevice(run: RunFile, command: readonly string[]): Promise<Device> {
  const cellar = `client-${randomUUID().slice(0, 8)}`;
  const management = await signIn(run);
  await management.createCellar(cellar);
  const { secret: apiKey } = await management.createKey(cellar);
  return {
    cellar,
    ledger: createLedger({ cellar, racks: RACKS }),
    async open() {
      const driver = startDriver(command);
      const spool = join(folder, cellar);
      const reply = await driver.send({ open: { url: run.ingestUrl, apiKey, spool, ...SPOOLED } });
      expect(reply).toEqual({ ok: true });
      return driver;
    },
  };
}

/** Puts until the process is killed, at a random moment after a few puts: a busy machine may take long for them. */
async function putUntilKilled({ open, ledger }: Device): Promise<void> {
  const driver = await open();
  const enough = ledger.acknowledged() + randomInt(LEAST_IN_A_LIFE, 10 * LEAST_IN_A_LIFE);
  let killed: Promise<void> | undefined;
  for (let isRunning = true; isRunning;) {
    const batch = Array.from({ length: randomInt(1, 40) }, () => ledger.next());
    isRunning = await driver.send({ put: batch.map(({ reading }) => reading) }).then(
      ({ error }) => {
        expect(error).toBeUndefined();
        for (const { number } of batch) ledger.record(number, 'acknowledged');
        if (ledger.acknowledged() >= enough) killed ??= sleep(randomInt(0, 50)).then(driver.kill);
        return true;
      },
      () => false,
    );
  }
  await killed;
}

async function sendTheRest({ open }: Device): Promise<void> {
  const driver = await open();
  expect(await driver.send({ close: 120_000 })).toEqual({ ok: { waiting: 0 } });
  await driver.kill();
}

/** Counts the readings of a rack that come for the first time after a later one. */
async function countOutOfOrder(rows: AsyncIterable<StoredRow>): Promise<number> {
  const seen = new Set<number>();
  const last = new Map<string, number>();
  let count = 0;
  for await (const { rack, value } of rows) {
    if (seen.has(value)) continue;
    seen.add(value);
    if (value < (last.get(rack) ?? -1)) count += 1;
    else last.set(rack, value);
  }
  return count;
}

test.each(Object.entries(COMMANDS))('%s: SIGKILL of clients and of ingest', async (_, command) => {
  const run = harness.product.run();
  const since = Date.now();
  const devices = await Promise.all(Array.from({ length: CLIENTS }, () => createDevice(run, command)));
  const over = new AbortController();
  const outages = (async () => {
    while (!over.signal.aborted) {
      const restore = await harness.product.takeDown('ingest', 0);
      await sleep(randomInt(100, 2_000));
      restore();
      await sleep(randomInt(500, 3_000));
    }
  })();
  await Promise.all(
    devices.map(async (device) => {
      for (let kill = 0; kill < KILLS; kill++) await putUntilKilled(device);
    }),
  );
  over.abort();
  await outages;
  await Promise.all(devices.map(sendTheRest));

  for (const { cellar, ledger } of devices) {
    const view = { ...viewOf(run), cellar };
    expect(ledger.acknowledged()).toBeGreaterThanOrEqual(KILLS * LEAST_IN_A_LIFE);
    const verdict = await until(
      'everything acknowledged is in the view',
      async () => {
        const found = await ledger.compare(storedRows(view));
        return found.missing === 0 ? found : undefined;
      },
      { deadlineMs: 60_000 },
    ).catch(() => ledger.compare(storedRows(view)));
    expect(verdict).toMatchObject({ missing: 0, doubled: 0, changed: 0 });
    const topic = { brokers: run.kafkaBrokers, topic: READINGS_TOPIC, cellar, since };
    expect(await countOutOfOrder(topicRows(topic))).toBe(0);
  }
});
