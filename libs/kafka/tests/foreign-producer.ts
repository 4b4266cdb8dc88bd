import { createRequire } from 'node:module';
import { zstdCompressSync } from 'node:zlib';
import kafkajs from 'kafkajs';
import type { Message } from 'kafkajs';
import { crc32c } from '../src/producer/crc32c.ts';
import { encodeRecordBatch } from '../src/producer/record-batch.ts';

const { CompressionCodecs, CompressionTypes, Kafka, logLevel } = kafkajs;
const ENCODED = createRequire(import.meta.url)('kafkajs/src/protocol/recordBatch/v0/encoded') as symbol;

export interface ForeignMessage {
  readonly key: string;
  readonly value: string;
  readonly partition: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970 in decimal digits, for a topic with CreateTime. */
  readonly timestamp?: string;
}

/** A program of somebody else that writes to our topic: kafkajs with nothing of ours between. */
export async function sendAsForeigner(
  brokers: readonly string[],
  topic: string,
  messages: readonly ForeignMessage[],
  { isZstd = false } = {},
): Promise<void> {
  // Whoever reads must do without it, as in production.
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: ({ buffer }: { buffer: Buffer }) => Promise.resolve(zstdCompressSync(buffer)),
    decompress: () => Promise.reject(new Error('kafkajs cannot read zstd')),
  });
  const compression = isZstd ? CompressionTypes.ZSTD : CompressionTypes.None;
  const producer = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).producer();
  await producer.connect();
  try {
    await producer.send({ topic, acks: -1, compression, messages: messages as Message[] });
  } finally {
    await producer.disconnect();
  }
}

const CRC_AT = 17;
const CHECKED_FROM = 21;
/** A length of -1 as a varint, which means that there is no value; 0 is an empty one. */
const NO_VALUE = 1;

/** A message with a header that has no value. Kafka allows it, other clients write it, and kafkajs cannot. */
export function withNullHeader({ key, value, partition }: ForeignMessage, name: string): ForeignMessage {
  const message = { key, value: Buffer.from(value), headers: { [name]: '' } };
  const batch = encodeRecordBatch([message], Date.now());
  batch[batch.lastIndexOf(name) + name.length] = NO_VALUE;
  batch.writeUInt32BE(crc32c(batch, CHECKED_FROM, batch.length), CRC_AT);
  return Object.assign({ key, value, partition }, { [ENCODED]: batch });
}
