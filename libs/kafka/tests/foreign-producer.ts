import { createRequire } from 'node:module';
import kafkajs from 'kafkajs';
import type { Message } from 'kafkajs';
import { crc32c } from '../src/producer/crc32c.ts';
import { encodeRecordBatch } from '../src/producer/record-batch.ts';

const { Kafka, logLevel } = kafkajs;
const ENCODED = createRequire(import.meta.url)('kafkajs/src/protocol/recordBatch/v0/encoded') as symbol;

export interface ForeignMessage {
  readonly key: string;
  readonly value: string;
  readonly partition: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970 in decimal digits, for a topic with CreateTime. */
  readonly timestamp?: string;
}

/** A foreign program that writes to our topic: plain kafkajs without our code. */
export async function sendAsForeigner(
  brokers: readonly string[],
  topic: string,
  messages: readonly ForeignMessage[],
): Promise<void> {
  const producer = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).producer();
  await producer.connect();
  try {
    await producer.send({ topic, acks: -1, messages: messages as Message[] });
  } finally {
    await producer.disconnect();
  }
}

const LENGTH_AT = 8;
const CRC_AT = 17;
const CHECKED_FROM = 21;
const RECORDS_AT = 61;
/** A length of -1 as a varint, which means that there is no value; 0 is an empty one. */
const NO_VALUE = 1;

/** A message with a header that has no value. Kafka allows it, other clients write it, and kafkajs cannot. */
export function withNullHeader({ key, value, partition }: ForeignMessage, name: string): ForeignMessage {
  const message = { key, value: Buffer.from(value), headers: { [name]: '' } };
  const batch = encodeRecordBatch([message], Date.now());
  batch[batch.lastIndexOf(name) + name.length] = NO_VALUE;
  batch.writeUInt32BE(crc32c(batch, CHECKED_FROM, batch.length), CRC_AT);
  return asMessage(batch, partition);
}

/** For kafkajs a whole batch is one message. */
export function asMessage(batch: Buffer, partition: number): ForeignMessage {
  return Object.assign({ key: '', value: '', partition }, { [ENCODED]: batch });
}

/** The number of a codec in the attributes of a record batch. */
export const CODEC = { gzip: 1, snappy: 2, lz4: 3, zstd: 4 };

/** The same record batch with its records compressed, or with anything else in their place. */
export function recompress(batch: Buffer, codec: number, compress: (records: Buffer) => Buffer): Buffer {
  const packed = Buffer.concat([batch.subarray(0, RECORDS_AT), compress(batch.subarray(RECORDS_AT))]);
  packed.writeInt32BE(packed.length - LENGTH_AT - 4, LENGTH_AT);
  packed.writeInt16BE(codec, CHECKED_FROM);
  packed.writeUInt32BE(crc32c(packed, CHECKED_FROM), CRC_AT);
  return packed;
}
