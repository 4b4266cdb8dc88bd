import { compressRecords } from './compress-records.ts';
import type { Compression } from './compress-records.ts';
import { crc32c } from './crc32c.ts';
import type { MessageHeaders, ProducerMessage } from './producer-port.ts';

/** https://kafka.apache.org/documentation/#recordbatch, version 2 */
const HEADER_BYTES = 61;
const LENGTH_AT = 8;
const MAGIC_AT = 16;
const CRC_AT = 17;
const CHECKED_FROM = 21;
const LAST_OFFSET_AT = 23;
const FIRST_TIME_AT = 27;
const LAST_TIME_AT = 35;
const PRODUCER_AT = 43;
const COUNT_AT = 57;
const MAGIC = 2;
/** Attributes and the difference of time, which is none: the topic has LogAppendTime. */
const FIXED_RECORD_BYTES = 2;
const LONGEST_VARINT = 5;
/** Length, offset, length of the key, length of the value. */
const VARINTS = 4;

/**
 * The bytes of one record batch, without a producer id.
 *
 * kafkajs makes three objects, several lists and as many copies for each field of each record: 2,000 messages held up
 * everything else for 20 ms. This writes them once, in one buffer.
 *
 * @param now milliseconds since 1970; the broker replaces it where the topic has LogAppendTime
 */
export function encodeRecordBatch(
  messages: readonly ProducerMessage[],
  now: number,
  compression: Compression = 'none',
): Buffer {
  const plain = Buffer.allocUnsafeSlow(mostBytes(messages));
  const end = writeRecords(plain, messages);
  const { attributes, records } = compressRecords(
    plain.subarray(HEADER_BYTES, end),
    messages.length,
    compression,
  );
  const batch =
    attributes === 0 ? plain.subarray(0, end) : Buffer.concat([plain.subarray(0, HEADER_BYTES), records]);

  batch.fill(0, 0, LENGTH_AT);
  batch.writeInt32BE(batch.length - LENGTH_AT - 4, LENGTH_AT);
  batch.fill(0, LENGTH_AT + 4, MAGIC_AT);
  batch[MAGIC_AT] = MAGIC;
  batch.writeInt16BE(attributes, CHECKED_FROM);
  batch.writeInt32BE(messages.length - 1, LAST_OFFSET_AT);
  const time = BigInt(now);
  batch.writeBigInt64BE(time, FIRST_TIME_AT);
  batch.writeBigInt64BE(time, LAST_TIME_AT);
  // No producer id, epoch and sequence: -1 each.
  batch.fill(0xff, PRODUCER_AT, COUNT_AT);
  batch.writeInt32BE(messages.length, COUNT_AT);
  batch.writeUInt32BE(crc32c(batch, CHECKED_FROM), CRC_AT);
  return batch;
}

/** A character of UTF-16 takes three bytes of UTF-8 at most. */
function mostBytes(messages: readonly ProducerMessage[]): number {
  let bytes = HEADER_BYTES;
  let headers: MessageHeaders | undefined;
  let headerBytes = headersBytes(undefined);
  for (const message of messages) {
    if (message.headers !== headers) {
      headers = message.headers;
      headerBytes = headersBytes(headers);
    }
    const keyBytes = typeof message.key === 'string' ? message.key.length * 3 : message.key.length;
    bytes += FIXED_RECORD_BYTES + VARINTS * LONGEST_VARINT + keyBytes + message.value.length + headerBytes;
  }
  return bytes;
}

function writeRecords(batch: Buffer, messages: readonly ProducerMessage[]): number {
  let headers: MessageHeaders | undefined;
  let headerBytes = headersBytes(undefined);
  let headersAt = -1;
  let at = HEADER_BYTES;
  for (let offset = 0; offset < messages.length; offset++) {
    const message = messages[offset] as ProducerMessage;
    const { key, value } = message;
    if (message.headers !== headers) {
      headers = message.headers;
      headerBytes = headersBytes(headers);
      headersAt = -1;
    }
    const keyBytes = bytesOf(key);
    const length =
      FIXED_RECORD_BYTES +
      varintBytes(offset) +
      sizedBytes(keyBytes) +
      sizedBytes(value.length) +
      headerBytes;
    at = writeVarint(batch, at, length);
    batch[at++] = 0;
    batch[at++] = 0;
    at = writeVarint(batch, at, offset);
    at = writeSized(batch, at, key, keyBytes);
    at = writeSized(batch, at, value, value.length);
    // The messages of a lane nearly always have the same.
    if (headersAt === -1) writeHeaders(batch, at, headers);
    else batch.copyWithin(at, headersAt, headersAt + headerBytes);
    headersAt = at;
    at += headerBytes;
  }
  return at;
}

function headersBytes(headers: MessageHeaders = {}): number {
  const names = Object.keys(headers);
  let bytes = varintBytes(names.length);
  for (const name of names) {
    bytes += sizedBytes(bytesOf(name)) + sizedBytes(bytesOf(headers[name] as string | Buffer));
  }
  return bytes;
}

function writeHeaders(batch: Buffer, start: number, headers: MessageHeaders = {}): void {
  const names = Object.keys(headers);
  let at = writeVarint(batch, start, names.length);
  for (const name of names) {
    const value = headers[name] as string | Buffer;
    at = writeSized(batch, at, name, bytesOf(name));
    at = writeSized(batch, at, value, bytesOf(value));
  }
}

function bytesOf(value: string | Buffer): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length;
}

/** With the length before it. */
function sizedBytes(length: number): number {
  return varintBytes(length) + length;
}

/** Writes a value with its length in front. Returns the position behind it. */
function writeSized(batch: Buffer, start: number, value: string | Buffer, length: number): number {
  const at = writeVarint(batch, start, length);
  if (typeof value === 'string') batch.write(value, at, length, 'utf8');
  else batch.set(value, at);
  return at + length;
}

/** Writes a zigzag varint; none of ours is negative. Returns the position behind it. */
function writeVarint(bytes: Buffer, start: number, value: number): number {
  let at = start;
  let left = value << 1;
  for (; left > 0x7f; left >>>= 7) bytes[at++] = (left & 0x7f) | 0x80;
  bytes[at++] = left;
  return at;
}

function varintBytes(value: number): number {
  if (value < 1 << 6) return 1;
  if (value < 1 << 13) return 2;
  if (value < 1 << 20) return 3;
  return value < 1 << 27 ? 4 : 5;
}
