import { randomBytes } from 'node:crypto';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import {
  createKafkaConsumer,
  createKafkaProducer,
  createTopicAdmin,
  partitionOf,
  silentLogger,
} from '@cellarman/kafka';
import type { ConsumedMessage, KafkaConnection, MessageHeaders, PartitionMessages } from '@cellarman/kafka';
import { clickhouseLogin, clickhouseVariables } from '@cellarman/local-stack';
import type { EngineUrls } from '@cellarman/local-stack';
import { loadMigrateConfig } from '../src/config.ts';
import { migrate } from '../src/migrate/migrate.ts';
import { startSink } from './sink-process.ts';
import type { SinkProcess } from './sink-process.ts';

export const OUR_HEADERS: MessageHeaders = { 'content-type': 'application/json', 'schema-version': '1' };

export interface Sent {
  key?: string;
  value: Buffer | string;
  headers?: MessageHeaders;
  /** @default by the key */
  partition?: number;
}

/** Topics, a database and a consumer group of its own, and sinks that work on them. */
export interface Harness {
  env: Record<string, string>;
  clickhouse: ClickHouseClient;
  connection: KafkaConnection;
  startSink(env?: Record<string, string>): Promise<SinkProcess>;
  send(messages: readonly Sent[]): Promise<void>;
  /** One query, its rows as arrays. */
  query(sql: string): Promise<unknown[][]>;
  deadLetters(): Promise<readonly ConsumedMessage[]>;
  close(): Promise<void>;
}

export async function openHarness(
  engines: EngineUrls,
  overrides: Record<string, string> = {},
): Promise<Harness> {
  const id = randomBytes(5).toString('hex');
  const readings = `sink-test-${id}.readings`;
  const deadLetterTopic = `sink-test-${id}.dead-letter`;
  const database = `sink_test_${id}`;
  const env = {
    KAFKA_BROKERS: engines.kafkaBrokers.join(','),
    READINGS_TOPIC: readings,
    DEAD_LETTER_TOPIC: deadLetterTopic,
    CONSUMER_GROUP: `sink-test-${id}`,
    TOPIC_PARTITIONS: '3',
    TOPIC_REPLICATION_FACTOR: '1',
    TOPIC_MIN_INSYNC_REPLICAS: '1',
    ALLOW_WEAK_TOPIC: 'true',
    ...clickhouseVariables(engines),
    CLICKHOUSE_DATABASE: database,
    // Nobody listens there: the sink keeps the policy that it has.
    KEY_SERVICE_URL: 'http://127.0.0.1:9',
    INTERNAL_TOKEN: 'a-token-for-the-tests',
    PORT: '0',
    ...overrides,
  };
  await migrate(loadMigrateConfig({ ...env, LOG_LEVEL: 'silent' }));

  const connection: KafkaConnection = {
    brokers: engines.kafkaBrokers,
    clientId: `sink-test-${id}`,
    logger: silentLogger,
  };
  const producer = createKafkaProducer({ connection, topics: [readings] });
  await producer.connect();
  const clickhouse = createClient({
    ...clickhouseLogin(engines),
    database,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const sinks: SinkProcess[] = [];
  const dead: ConsumedMessage[] = [];
  const deadConsumer = createKafkaConsumer({
    connection,
    topic: deadLetterTopic,
    groupId: `sink-test-${id}-dead`,
    handler: { onBatch: ({ messages }) => void dead.push(...messages) },
  });
  await deadConsumer.start();

  return {
    env,
    clickhouse,
    connection,
    async startSink(more = {}) {
      const sink = await startSink({ ...env, ...more });
      sinks.push(sink);
      return sink;
    },
    async send(messages) {
      const partitions = producer.leaders(readings)?.length ?? 1;
      const batches = new Map<number, PartitionMessages['messages'][number][]>();
      for (const { key = 'demo/boiler-house-2', value, headers = OUR_HEADERS, partition } of messages) {
        const chosen = partition ?? partitionOf(key, partitions);
        const list = batches.get(chosen) ?? [];
        list.push({ key, value: Buffer.from(value), headers });
        batches.set(chosen, list);
      }
      for (const [partition, list] of batches) {
        // One send stays below the largest message that the broker takes.
        for (let first = 0; first < list.length; first += 2_000) {
          await producer.send(readings, [{ partition, messages: list.slice(first, first + 2_000) }]);
        }
      }
    },
    async query(sql) {
      const answer = await clickhouse.query({
        query: sql,
        format: 'JSONCompactEachRow',
        clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
      });
      return answer.json();
    },
    deadLetters: async () => dead,
    async close() {
      for (const sink of sinks) await sink.kill('SIGKILL');
      await deadConsumer.stop();
      await producer.disconnect();
      await clickhouse.command({ query: `DROP DATABASE IF EXISTS ${database}` });
      await clickhouse.close();
      const admin = createTopicAdmin(connection);
      await admin.delete(readings);
      await admin.delete(deadLetterTopic);
    },
  };
}
