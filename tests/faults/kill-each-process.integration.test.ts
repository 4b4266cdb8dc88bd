import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '@cellarman/local-stack';
import type { Product, RunFile } from '@cellarman/local-stack';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLedger } from './ledger.ts';
import type { Verdict } from './ledger.ts';
import { startLoad } from './load.ts';
import type { Load } from './load.ts';
import { storedRows } from './stored-rows.ts';

/*
 * kill -9 of every process of a running product, one after the other, while clients post.
 * What clients saw acknowledged is then held against the view.
 */

const MOST_MS = 60_000;
let dataDir: string;
let product: Product;
let load: Load;
let ledger: ReturnType<typeof createLedger>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cellarman-faults-'));
  product = await startProduct({ dataDir, ports: 'free' });
  const { demo } = product.run();
  ledger = createLedger({ cellar: demo.cellar, racks: 50 });
  load = startLoad({ urls: () => product.run().ingestUrls, apiKey: demo.apiKey, clients: 16, ledger });
});

afterAll(async () => {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function acknowledgedGrows(by: number): Promise<void> {
  const goal = ledger.acknowledged() + by;
  await vi.waitFor(() => expect(ledger.acknowledged()).toBeGreaterThanOrEqual(goal), {
    timeout: MOST_MS,
    interval: 100,
  });
}

const PROCESSES: (keyof RunFile['processes'])[] = [
  'ingest',
  'key-service',
  'sink',
  'kafka',
  'redis',
  'postgres',
  'clickhouse',
];

test.each(PROCESSES)('%s comes back after kill -9, and readings are acknowledged again', async (name) => {
  await acknowledgedGrows(200);
  const before = product.run().processes[name]?.[0];
  product.kill(name, 0, 'SIGKILL');
  await vi.waitFor(
    () => {
      const now = product.run().processes[name]?.[0];
      expect(now).toBeTypeOf('number');
      expect(now).not.toBe(before);
    },
    { timeout: MOST_MS, interval: 50 },
  );
  await acknowledgedGrows(500);
});

test('every service is ready again', async () => {
  const { ingestUrl, keyServiceUrl, sinkUrl } = product.run();
  for (const url of [ingestUrl, keyServiceUrl, sinkUrl]) {
    const isReady = async (): Promise<boolean> => (await fetch(`${url}/readyz`)).ok;
    await vi.waitFor(async () => expect(await isReady()).toBe(true), { timeout: MOST_MS, interval: 200 });
  }
});

test('everything acknowledged is in the view exactly once', async () => {
  await load.stop();
  const { clickhouseUrl, clickhouseDatabase, demo } = product.run();
  let verdict: Verdict | undefined;
  await vi.waitFor(
    async () => {
      const rows = await storedRows({
        url: clickhouseUrl,
        database: clickhouseDatabase,
        cellar: demo.cellar,
      });
      verdict = ledger.judge(rows);
      expect(verdict).toMatchObject({ missing: 0 });
    },
    { timeout: MOST_MS, interval: 500 },
  );
  process.stdout.write(
    `${JSON.stringify({ ...verdict, answers: ledger.answers(), slowestMs: load.slowestMs() })}\n`,
  );
  expect(verdict).toMatchObject({ missing: 0, doubled: 0, changed: 0 });
  // No fault may be the answer to a good reading but "later".
  expect(
    Object.keys(ledger.answers()).filter(
      (status) => /^\d+$/.test(status) && !['200', '503'].includes(status),
    ),
  ).toEqual([]);
});
