import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKafkaProducer, createTopicAdmin, readRange, silentLogger } from '@cellarman/kafka';
import type { KafkaConnection } from '@cellarman/kafka';
import { createClient } from '@clickhouse/client';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { clickhouseLogin, startEngines } from '../src/index.ts';
import type { StartedEngines } from '../src/index.ts';
import type { StackEvent } from '../src/progress/stack-event.ts';
import { isRunning } from './long-running.ts';

// Each starts several engines, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

describe('engines that are killed', () => {
  let dataDir: string;
  let engines: StartedEngines;
  const events: StackEvent[] = [];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cellarman-engines-'));
    engines = await startEngines({ dataDir, onEvent: (event) => events.push(event) });
  });

  afterAll(async () => {
    await engines.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Kills an engine as hard as can be, and waits until the supervisor has it up again. */
  async function killAndWait(name: string): Promise<void> {
    const [before] = engines.processes()[name] ?? [];
    const readyCount = () => events.filter((event) => event.type === 'ready' && event.name === name).length;
    const earlier = readyCount();

    engines.kill(name, 'SIGKILL');
    await vi.waitFor(() => expect(readyCount()).toBe(earlier + 1), { timeout: 40_000 });

    expect(engines.processes()[name]).not.toContain(before);
  }

  test('Kafka comes back with what it acknowledged', async () => {
    const connection: KafkaConnection = {
      brokers: engines.urls.kafkaBrokers,
      clientId: 'local-stack-test',
      logger: silentLogger,
    };
    const topic = 'kept';
    const admin = createTopicAdmin(connection);
    await admin.createMissing(topic, {
      partitions: 2,
      replicationFactor: 1,
      minInsyncReplicas: 1,
      retentionMs: 86_400_000,
      maxMessageBytes: 1_048_576,
    });
    const producer = createKafkaProducer({ connection, topics: [topic] });
    await producer.connect();
    const messages = [{ key: 'demo/rack', value: Buffer.from('acknowledged') }];
    await producer.send(topic, [{ partition: 1, messages }]);
    await producer.disconnect();

    await killAndWait('kafka');

    const values: string[] = [];
    for await (const batch of readRange({ connection, topic, from: 'start', to: 'end' })) {
      values.push(...batch.messages.map(({ value }) => String(value)));
    }
    expect(values).toEqual(['acknowledged']);
  });

  test('Redis comes back with what it acknowledged', async () => {
    const client = new Redis(engines.urls.redisUrl);
    await client.set('kept', 'acknowledged');
    client.disconnect();

    await killAndWait('redis');

    const again = new Redis(engines.urls.redisUrl);
    expect(await again.get('kept')).toBe('acknowledged');
    again.disconnect();
  });

  test('PostgreSQL comes back with what it committed', async () => {
    const connect = async () => {
      const client = new Client({ connectionString: engines.urls.databaseUrl });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    };
    const client = await connect();
    await client.query(`CREATE TABLE kept AS SELECT 'committed' AS value`);

    await killAndWait('postgres');

    const again = await connect();
    expect((await again.query('SELECT value FROM kept')).rows).toEqual([{ value: 'committed' }]);
    await again.end();
  });

  test('ClickHouse comes back with what it inserted', async () => {
    const client = createClient(clickhouseLogin(engines.urls));
    await client.command({ query: 'CREATE TABLE kept (value String) ENGINE = MergeTree ORDER BY value' });
    await client.insert({ table: 'kept', values: [{ value: 'inserted' }], format: 'JSONEachRow' });
    await client.close();

    await killAndWait('clickhouse');

    const again = createClient(clickhouseLogin(engines.urls));
    const rows = await again.query({ query: 'SELECT value FROM kept', format: 'JSONEachRow' });
    expect(await rows.json()).toEqual([{ value: 'inserted' }]);
    await again.close();
  });

  test('an orderly stop leaves no process, and the next start has the data of all four', async () => {
    const client = new Redis(engines.urls.redisUrl);
    await client.set('across starts', 'kept');
    client.disconnect();
    const pids = Object.values(engines.processes()).flat();

    await engines.stop();
    expect(pids.filter(isRunning)).toEqual([]);

    engines = await startEngines({ dataDir, onEvent: (event) => events.push(event) });
    const postgres = new Client({ connectionString: engines.urls.databaseUrl });
    await postgres.connect();
    expect((await postgres.query('SELECT value FROM kept')).rows).toHaveLength(1);
    await postgres.end();
    const redis = new Redis(engines.urls.redisUrl);
    expect(await redis.get('across starts')).toBe('kept');
    redis.disconnect();
    const clickhouse = createClient(clickhouseLogin(engines.urls));
    const rows = await clickhouse.query({ query: 'SELECT value FROM kept', format: 'JSONEachRow' });
    expect(await rows.json()).toHaveLength(1);
    await clickhouse.close();
    // On other ports than before: Kafka keeps the host:port of its controller in its data.
    const admin = createTopicAdmin({
      brokers: engines.urls.kafkaBrokers,
      clientId: 'local-stack-test',
      logger: silentLogger,
    });
    expect((await admin.describe('kept'))?.partitions).toBe(2);
  });
});
