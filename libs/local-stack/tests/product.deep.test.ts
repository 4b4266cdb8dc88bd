import { createClient } from '@clickhouse/client';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { clickhouseLogin, startProduct } from '../src/index.ts';
import type { Product, RunFile } from '../src/index.ts';
import { describeRun } from '../src/product/describe-run.ts';
import { localSecrets } from '../src/product/local-secrets.ts';
import { isRunning } from './long-running.ts';

// Each starts several engines, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

describe('the whole product', () => {
  let dataDir: string;
  let product: Product;

  const start = () => startProduct({ dataDir, ports: 'free', ingestReplicas: 2 });
  const readRunFile = async () => JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as RunFile;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cellarman-product-'));
    product = await start();
  });

  afterAll(async () => {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function send({ ingestUrls, demo }: RunFile, replica: number, rack: string): Promise<number> {
    const timestamp = new Date().toISOString();
    const answer = await fetch(`${ingestUrls[replica] ?? ''}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': demo.apiKey },
      body: JSON.stringify({ cellar: demo.cellar, rack, keg: 'temperature', value: 11.4, timestamp }),
    });
    return answer.status;
  }

  async function racksInView(run: RunFile): Promise<string[]> {
    const client = createClient({ ...clickhouseLogin(run), database: run.clickhouseDatabase });
    const rows = await client.query({
      query: 'SELECT DISTINCT rack FROM readings ORDER BY rack',
      format: 'JSONEachRow',
    });
    const racks = (await rows.json<{ rack: string }>()).map(({ rack }) => rack);
    await client.close();
    return racks;
  }

  async function paste(command: string): Promise<string> {
    return (await promisify(execFile)('sh', ['-c', command])).stdout;
  }

  test('run.json says what runs, and only its owner may read it', async () => {
    const run = await readRunFile();
    expect(run).toEqual(product.run());
    expect(Object.keys(run).sort()).toEqual(
      [
        ...[
          'admin',
          'clickhouseDatabase',
          'clickhousePassword',
          'clickhouseUrl',
          'clickhouseUser',
          'dashboardUrl',
          'databaseUrl',
          'demo',
          'ingestUrl',
        ],
        ...[
          'ingestUrls',
          'kafkaBrokers',
          'keyServiceInternalUrl',
          'keyServiceUrl',
          'processes',
          'queryOperationsUrl',
          'queryUrl',
          'redisUrl',
          'sinkUrl',
        ],
      ].sort(),
    );
    expect(run.ingestUrls).toHaveLength(2);
    expect(run.ingestUrl).toBe(run.ingestUrls[0]);
    expect(run.demo).toEqual({ cellar: 'demo', apiKey: expect.stringMatching(/^cm_/) as string });
    const counts = Object.entries(run.processes).map(([name, pids]) => [name, pids.length]);
    expect(Object.fromEntries(counts)).toEqual({
      ...{ kafka: 1, redis: 1, postgres: 1, clickhouse: 1 },
      ...{ 'key-service': 1, sink: 1, query: 1, ingest: 2 },
    });
    expect(Object.values(run.processes).flat().filter(isRunning)).toHaveLength(9);
    expect((await stat(join(dataDir, 'run.json'))).mode & 0o777).toBe(0o600);
  });

  test('a reading that each replica accepts is in the view', async () => {
    const run = product.run();
    expect(await send(run, 0, 'first replica')).toBe(200);
    expect(await send(run, 1, 'second replica')).toBe(200);
    await vi.waitFor(
      async () => expect(await racksInView(run)).toEqual(['first replica', 'second replica']),
      { timeout: 20_000, interval: 100 },
    );
  });

  test('the commands that a start prints work when they are pasted', async () => {
    const commands = describeRun(product.run(), dataDir)
      .split('\n')
      .filter((line) => line.startsWith('curl '));
    const [send = '', query = ''] = commands;
    expect(commands).toHaveLength(2);
    expect(await paste(send)).toContain('"status":"success"');
    await vi.waitFor(async () => expect(await paste(query)).toContain('cellar-door'), { timeout: 20_000 });
  });

  test('no engine lets anyone in without its password, and no command line shows one', async () => {
    const run = product.run();
    const withoutPassword = (text: string): string => {
      const url = new URL(text);
      url.password = '';
      return url.href;
    };
    const redis = new Redis(withoutPassword(run.redisUrl), { lazyConnect: true, retryStrategy: () => null });
    const rejected = once(redis, 'error');
    await expect(redis.connect()).rejects.toThrow();
    expect(String(await rejected)).toContain('NOAUTH');
    redis.disconnect();
    const postgres = new Client({ connectionString: withoutPassword(run.databaseUrl) });
    await expect(postgres.connect()).rejects.toThrow('password');
    const clickhouse = await fetch(`${run.clickhouseUrl}/?query=SELECT 1`, { method: 'POST' });
    expect([clickhouse.status, await clickhouse.text()]).toEqual([403, expect.stringContaining('Code: 516')]);

    const pids = Object.values(run.processes).flat().join();
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', pids]);
    expect(stdout).toContain('redis-server');
    for (const secret of Object.values(await localSecrets(dataDir))) expect(stdout).not.toContain(secret);
    expect((await stat(join(dataDir, 'redis', 'redis.conf'))).mode & 0o777).toBe(0o600);
  });

  test('a killed service is replaced, run.json names the new process, and the other replica goes on', async () => {
    const [first = 0, second = 0] = product.run().processes['ingest'] ?? [];

    product.kill('ingest', 0, 'SIGKILL');
    expect(await send(product.run(), 1, 'second replica')).toBe(200);
    await vi.waitFor(
      async () => {
        const { processes } = await readRunFile();
        expect(processes['ingest']).toHaveLength(2);
        expect(processes['ingest']).not.toContain(first);
        expect(processes['ingest']).toContain(second);
      },
      { timeout: 20_000 },
    );
    await vi.waitFor(async () => expect(await send(product.run(), 0, 'first replica')).toBe(200), {
      timeout: 20_000,
    });
  });

  test('a stop leaves no process, and the next start has the same key and the same readings', async () => {
    const before = product.run();

    await product.stop();
    expect(Object.values(before.processes).flat().filter(isRunning)).toEqual([]);
    expect(existsSync(join(dataDir, 'run.json'))).toBe(false);

    product = await start();
    expect(product.run().demo).toEqual(before.demo);
    expect(product.run().admin).toEqual(before.admin);
    expect(await racksInView(product.run())).toEqual(['cellar-door', 'first replica', 'second replica']);
  });
});
