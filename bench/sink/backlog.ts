import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { CONTENT_TYPE, messageKey, SCHEMA_VERSION, TOPIC_HEADERS } from '@cellarman/contracts';
import { createKafkaProducer, partitionOf } from '@cellarman/kafka';
import type { KafkaConnection, ProducerMessage } from '@cellarman/kafka';

const HEADERS = { [TOPIC_HEADERS.contentType]: CONTENT_TYPE, [TOPIC_HEADERS.schemaVersion]: SCHEMA_VERSION };
const RACKS = 1_000;
/** Messages that share a record batch, as when ingest is busy. */
const MESSAGES_IN_A_BATCH = 100;

/** Writes readings into the topic as ingest does, and the same lines into a file for the baseline. */
export async function writeBacklog(options: {
  connection: KafkaConnection;
  topic: string;
  file: string;
  readings: number;
}): Promise<void> {
  const { connection, topic, file, readings } = options;
  const producer = createKafkaProducer({ connection, topics: [topic] });
  await producer.connect();
  const partitions = producer.leaders(topic)?.length ?? 1;
  const lines = createWriteStream(file);
  const waiting = Array.from({ length: partitions }, (): ProducerMessage[] => []);

  async function send(atLeast: number): Promise<void> {
    const batches = waiting.flatMap((messages, partition) =>
      messages.length < atLeast ? [] : [{ partition, messages: messages.splice(0) }],
    );
    if (batches.length > 0) await producer.send(topic, batches);
  }

  const now = Date.now();
  for (let i = 0; i < readings; i++) {
    const rack = `rack-${(i % RACKS) + 1}`;
    const line = readingLine(i, rack, now);
    if (!lines.write(`${line}\n`)) await once(lines, 'drain');
    const key = messageKey('demo', rack);
    waiting[partitionOf(key, partitions)]?.push({ key, value: Buffer.from(line), headers: HEADERS });
    if (i % (MESSAGES_IN_A_BATCH * partitions) === 0) await send(MESSAGES_IN_A_BATCH);
  }
  await send(1);
  lines.end();
  await finished(lines);
  await producer.disconnect();
}

/** Fractions make each of them another reading; the times are those of the last quarter of an hour. */
function readingLine(i: number, rack: string, now: number): string {
  const timestamp = new Date(now - (i % 900_000)).toISOString();
  const fraction = String(i % 1_000_000).padStart(6, '0');
  const value = (Math.sin(i) * 50 + 50).toFixed(4);
  const time = `${timestamp.slice(0, -1)}${fraction}Z`;
  const receivedAt = new Date(now).toISOString();
  return (
    `{"cellar":"demo","rack":"${rack}","keg":"temperature","value":${value},"timestamp":"${time}",` +
    `"received_at":"${receivedAt}","key_id":"0f8fad5b-d9cb-469f-a165-70867728950e"}`
  );
}
