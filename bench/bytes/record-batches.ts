import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { CONTENT_TYPE, messageKey, SCHEMA_VERSION, TOPIC_HEADERS } from '@cellarman/contracts';
import { partitionOf } from '@cellarman/kafka';
import type { Compression, ProducerMessage } from '@cellarman/kafka';
import { encodeRecordBatch } from '../../libs/kafka/src/producer/record-batch.ts';
import { publishedReadings } from './readings.ts';

const PARTITIONS = 6;
const HEADERS = { [TOPIC_HEADERS.contentType]: CONTENT_TYPE, [TOPIC_HEADERS.schemaVersion]: SCHEMA_VERSION };
/** Of the header of a record batch, before the records. */
const RECORDS_AT = 61;
const DECOMPRESS: Readonly<Record<Compression, (records: Buffer) => Buffer>> = {
  none: (records) => records,
  gzip: (records) => gunzipSync(records),
  zstd: (records) => zstdDecompressSync(records),
};

export interface BatchSample {
  bytes: number;
  encodeMicroseconds: number;
  decompressMicroseconds: number;
}

/** Messages of one partition in their order, as ingest publishes them. */
export function messagesOfPartition(count: number): ProducerMessage[] {
  const messages: ProducerMessage[] = [];
  for (const { rack, line } of publishedReadings(count * PARTITIONS * 2)) {
    const key = messageKey('demo', rack);
    if (partitionOf(key, PARTITIONS) !== 0) continue;
    messages.push({ key, value: Buffer.from(line), headers: HEADERS });
    if (messages.length === count) break;
  }
  return messages;
}

/** Bytes and CPU of a reading, in record batches of these messages. */
export function measureBatch(
  messages: readonly ProducerMessage[],
  compression: Compression,
  seconds: number,
): BatchSample {
  const batch = encodeRecordBatch(messages, 0, compression);
  const records = batch.subarray(RECORDS_AT);
  const decompress = DECOMPRESS[compression];
  return {
    bytes: batch.length / messages.length,
    encodeMicroseconds: cpuOf(() => encodeRecordBatch(messages, 0, compression), seconds) / messages.length,
    decompressMicroseconds: cpuOf(() => decompress(records), seconds) / messages.length,
  };
}

/** CPU of one call, after as many to warm up. */
function cpuOf(work: () => unknown, seconds: number): number {
  repeat(work, seconds);
  const before = process.cpuUsage();
  const calls = repeat(work, seconds);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

function repeat(work: () => unknown, seconds: number): number {
  const end = performance.now() + seconds * 1_000;
  let calls = 0;
  for (; performance.now() < end; calls++) work();
  return calls;
}
