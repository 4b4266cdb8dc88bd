import { glob, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CONTENT_TYPE, messageKey, SCHEMA_VERSION, TOPIC_HEADERS } from '@cellarman/contracts';
import { createKafkaProducer, createLanes, createTopicAdmin, silentLogger } from '@cellarman/kafka';
import type { Row } from '../bench.ts';
import { round } from '../median.ts';
import { publishedReadings } from './published-readings.ts';

const PER_SECOND = 5_000;
const SECONDS = 10;
const PARTITIONS = 6;
const HEADERS = { [TOPIC_HEADERS.contentType]: CONTENT_TYPE, [TOPIC_HEADERS.schemaVersion]: SCHEMA_VERSION };

/** Publishes single readings as ingest does, and returns the bytes that the broker's log took for each. */
export async function bytesOfSingles(
  brokers: readonly string[],
  engines: string,
  lingerMs: number,
): Promise<Row & { bytes: number }> {
  const connection = { brokers, clientId: 'bench', logger: silentLogger };
  const topic = `bench.singles-${lingerMs}`;
  await createTopicAdmin(connection).createMissing(topic, {
    ...{ partitions: PARTITIONS, replicationFactor: 1, minInsyncReplicas: 1 },
    ...{ retentionMs: 7 * 86_400_000, maxMessageBytes: 1_048_576 },
  });
  const producer = createKafkaProducer({ connection, topics: [topic], compression: 'zstd' });
  await producer.connect();
  const limits = { maxInFlightBytes: 64 * 1_048_576 };
  const lanes = createLanes({ producer, topic, limits, deadlineMs: 60_000, lingerMs });
  const waits: number[] = [];
  const published: Promise<void>[] = [];
  const begun = performance.now();
  for (const { rack, line } of publishedReadings(PER_SECOND * SECONDS)) {
    const dueMs = begun + (published.length / PER_SECOND) * 1_000;
    while (performance.now() < dueMs) await delay(1);
    const publishedAt = performance.now();
    const publish = lanes.publish(messageKey('demo', rack), Buffer.from(line), HEADERS);
    published.push(publish.then(() => void waits.push(performance.now() - publishedAt)));
  }
  await Promise.all(published);
  await lanes.close(1_000);
  await producer.disconnect();
  waits.sort((a, b) => a - b);
  return {
    'linger ms': lingerMs,
    bytes: round((await bytesOfLog(engines, topic)) / published.length),
    'acknowledged p50 ms': round(waits[Math.floor(waits.length / 2)] ?? Number.NaN),
  };
}

async function bytesOfLog(engines: string, topic: string): Promise<number> {
  let bytes = 0;
  for await (const file of glob(join(engines, '**', `${topic}-*`, '*.log'))) bytes += (await stat(file)).size;
  return bytes;
}
