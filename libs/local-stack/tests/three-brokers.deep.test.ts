import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTopicAdmin, silentLogger } from '@cellarman/kafka';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startProduct } from '../src/index.ts';
import type { Product, RunFile } from '../src/index.ts';
import { isRunning } from './long-running.ts';

// Three brokers and all the rest, on a machine that may be busy.
vi.setConfig({ testTimeout: 480_000, hookTimeout: 240_000 });

let dataDir: string;
let product: Product;

const start = () => startProduct({ dataDir, ports: 'free', brokers: 3 });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cellarman-three-brokers-'));
  product = await start();
});

afterAll(async () => {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function send(rack: string): Promise<number> {
  const { ingestUrl, demo } = product.run();
  const timestamp = new Date().toISOString();
  const answer = await fetch(`${ingestUrl}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': demo.apiKey },
    body: JSON.stringify({ cellar: demo.cellar, rack, keg: 'temperature', value: 11.4, timestamp }),
  });
  return answer.status;
}

const topic = () =>
  createTopicAdmin({ brokers: product.run().kafkaBrokers, clientId: 'test', logger: silentLogger }).describe(
    'cellarman.readings.v1',
  );

test('three brokers keep three copies, two of them in sync before a response', async () => {
  const run = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as RunFile;
  expect(run.kafkaBrokers).toHaveLength(3);
  expect(run.processes['kafka']?.filter(isRunning)).toHaveLength(3);
  expect(await topic()).toMatchObject({
    replicationFactor: 3,
    minInsyncReplicas: 2,
    uncleanLeaderElection: false,
  });
});

test('without any one of them readings are still taken', async () => {
  for (const index of [0, 1, 2]) {
    const release = await product.takeDown('kafka', index);
    await vi.waitFor(async () => expect(await send(`without ${index}`)).toBe(200), { timeout: 120_000 });
    release();
    // Running is not enough: while it catches up, the next one to go would be the second that is away.
    await vi.waitFor(async () => expect(await topic()).toMatchObject({ inSyncReplicas: 3 }), {
      timeout: 120_000,
      interval: 500,
    });
  }
});

test('the next start goes on with them, and one broker alone is rejected', async () => {
  await product.stop();
  await expect(startProduct({ dataDir, ports: 'free' })).rejects.toThrow(/start with --brokers 3/);
  product = await start();
  expect(await send('after the restart')).toBe(200);
});
