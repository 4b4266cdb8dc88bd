import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { crc32c } from '../src/producer/crc32c.ts';
import { readAllCodecs } from '../src/consumer/decompress.ts';
import { COMPRESSIONS } from '../src/index.ts';
import { compressRecords } from '../src/producer/compress-records.ts';
import { encodeRecordBatch } from '../src/producer/record-batch.ts';
import type { Compression, ProducerMessage } from '../src/index.ts';

const require = createRequire(import.meta.url);
const kafkajsCrc = require('kafkajs/src/protocol/recordBatch/crc32C') as (bytes: Buffer) => number;
const Decoder = require('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => object;
interface Decoded {
  records: {
    offset: string;
    timestamp: string;
    key: Buffer;
    value: Buffer;
    headers: Record<string, Buffer>;
  }[];
}
const decode = require('kafkajs/src/protocol/recordBatch/v0/decoder') as (
  decoder: object,
) => Promise<Decoded>;

beforeAll(readAllCodecs);

/** As kafkajs reads it. */
async function decoded(batch: Buffer): Promise<Decoded['records']> {
  const { records } = await decode(new Decoder(batch));
  return records;
}

const text = fc.string({ unit: 'binary', maxLength: 20 });
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const headers = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.oneof(text, bytes), {
  maxKeys: 3,
});
const key = fc.oneof(
  text.map((value) => value.toWellFormed()),
  bytes,
);

it('is read by kafkajs as what was written', async () => {
  const shared = fc.array(fc.option(headers, { nil: undefined }), { minLength: 1, maxLength: 3 });
  const messages = shared.chain((choices) =>
    fc.array(fc.record({ key, value: bytes, headers: fc.constantFrom(...choices) }), {
      minLength: 1,
      maxLength: 200,
    }),
  );
  await fc.assert(
    fc.asyncProperty(messages, fc.constantFrom(...COMPRESSIONS), async (list, compression) => {
      const batch = encodeRecordBatch(list as ProducerMessage[], 1_700_000_000_123, compression);
      const records = await decoded(batch);
      expect(records).toHaveLength(list.length);
      for (const [offset, record] of records.entries()) {
        const sent = list[offset];
        expect([record.offset, record.timestamp]).toEqual([String(offset), '1700000000123']);
        expect(record.key.equals(Buffer.from(sent?.key as string))).toBe(true);
        expect(record.value.equals(sent?.value as Buffer)).toBe(true);
        const sentHeaders = Object.entries(sent?.headers ?? {});
        expect(Object.keys(record.headers).sort()).toEqual(sentHeaders.map(([name]) => name).sort());
        for (const [name, value] of sentHeaders) {
          expect(record.headers[name]?.equals(Buffer.from(value as string))).toBe(true);
        }
      }
    }),
    { numRuns: 200 },
  );
});

it('writes numbers of every length', async () => {
  const list = Array.from({ length: 9_000 }, (_, n) => ({
    key: 'k'.repeat(n % 200),
    value: Buffer.alloc(n === 1 ? 1_100_000 : n % 70, 'v'),
  }));
  const records = await decoded(encodeRecordBatch(list, 0));
  expect(records.map(({ value }) => value.length)).toEqual(list.map(({ value }) => value.length));
  expect(records.at(-1)?.offset).toBe('8999');
});

it('is compressed where that makes it smaller', () => {
  const sizeOf = (values: readonly Buffer[], compression: Compression): number =>
    encodeRecordBatch(
      values.map((value) => ({ key: 'k', value })),
      0,
      compression,
    ).length;
  const repeated = Array.from({ length: 24 }, () => Buffer.alloc(200, 'v'));
  const random = randomBytes(200);
  for (const compression of ['gzip', 'zstd'] as const) {
    expect(sizeOf(repeated, compression)).toBeLessThan(sizeOf(repeated, 'none') / 5);
    expect(compressRecords(random, 2, compression)).toEqual({ attributes: 0, records: random });
  }
});

it('compresses batches of two messages, and no single message', () => {
  const records = Buffer.alloc(400, 'v');
  const isCompressed = (count: number) => compressRecords(records, count, 'zstd').attributes !== 0;
  expect([1, 2, 24].map(isCompressed)).toEqual([false, true, true]);
});

it('makes a frame of its own of each batch, however many there were before', () => {
  const text = randomBytes(100_000).toString('hex');
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(100_000), (start, length) => {
      const records = Buffer.from(text.slice(start, start + length));
      const compressed = compressRecords(records, 2, 'zstd');
      const plain = compressed.attributes === 0 ? compressed.records : zstdDecompressSync(compressed.records);
      expect(plain.equals(records)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it('makes no compression context for a batch', () => {
  let contexts = 0;
  const hook = createHook({ init: (_id, type) => void (contexts += type === 'ZLIB' ? 1 : 0) });
  const compress = () => compressRecords(Buffer.alloc(400, 'v'), 2, 'zstd');
  compress();
  hook.enable();
  for (let batch = 0; batch < 100; batch++) compress();
  hook.disable();
  expect(contexts).toBe(0);
});

it('has the checksum that kafkajs computes', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(20), (array, from) => {
      const buffer = Buffer.from(array);
      const start = Math.min(from, buffer.length);
      expect(crc32c(buffer, start)).toBe(kafkajsCrc(buffer.subarray(start)));
    }),
    { numRuns: 2_000 },
  );
});
