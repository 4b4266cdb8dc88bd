import { createRequire } from 'node:module';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { decompressLz4 } from '../src/consumer/decompress-lz4.ts';
import { readAllCodecs } from '../src/consumer/decompress.ts';
import { encodeRecordBatch } from '../src/producer/record-batch.ts';
import { CODEC, recompress } from './foreign-producer.ts';

const require = createRequire(import.meta.url);
interface Read {
  offset: string;
  value: Buffer;
  unreadable?: string;
}
const Decoder = require('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => object;
const decodeMessages = require('kafkajs/src/protocol/requests/fetch/v4/decodeMessages') as (
  decoder: object,
) => Promise<Read[]>;
const { compress: snappy } = require('snappyjs') as { compress: (bytes: Buffer) => Buffer };

const MIB = 1024 * 1024;

/** As kafkajs reads the batches of a partition in the response of a broker. */
function read(...batches: Buffer[]): Promise<Read[]> {
  const bytes = Buffer.concat([Buffer.alloc(4), ...batches]);
  bytes.writeInt32BE(bytes.length - 4);
  return decodeMessages(new Decoder(bytes));
}

function batchOf(values: readonly (Buffer | string)[]): Buffer {
  const messages = values.map((value) => ({ key: 'k', value: Buffer.from(value) }));
  return encodeRecordBatch(messages, 0);
}

/** Java's framing: magic, two versions, and blocks with their lengths. */
function xerial(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [Buffer.from('82534e41505059000000000100000001', 'hex')];
  for (let at = 0; at < bytes.length; at += 32_768) {
    const block = snappy(bytes.subarray(at, at + 32_768));
    const length = Buffer.alloc(4);
    length.writeInt32BE(block.length);
    blocks.push(length, block);
  }
  return Buffer.concat(blocks);
}

/** A frame with blocks of 4 MiB at most and a content size that is not true. */
function lz4Frame(...blocks: Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('04224d18687003000000000000000000', 'hex').subarray(0, 15)];
  for (const block of blocks) {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(block.length);
    parts.push(length, block);
  }
  return Buffer.concat([...parts, Buffer.alloc(4)]);
}

/** One literal, and a match that repeats it: about 255 times the bytes of the block. */
function lz4Run(length: number): Buffer {
  const more = Math.floor(length / 255);
  return Buffer.concat([Buffer.from([0x1f, 0x61, 1, 0]), Buffer.alloc(more, 255), Buffer.from([0])]);
}

const COMPRESSIONS: [string, number, (bytes: Buffer) => Buffer][] = [
  ['gzip', CODEC.gzip, (bytes) => gzipSync(bytes)],
  ['snappy', CODEC.snappy, snappy],
  ['snappy of Java', CODEC.snappy, xerial],
  ['zstd', CODEC.zstd, (bytes) => zstdCompressSync(bytes)],
];

beforeAll(readAllCodecs);

describe.each(COMPRESSIONS)('a batch with %s', (_, codec, compress) => {
  it('is read as it was written', async () => {
    const values = Array.from({ length: 3_000 }, (_value, i) => `{"value":${i}}`.repeat(1 + (i % 7)));
    const records = await read(recompress(batchOf(values), codec, compress));

    expect(records.map(({ value }) => value.toString())).toEqual(values);
    expect(records.at(-1)?.offset).toBe('2999');
  });

  it('is one unreadable record when it has more than 16 MiB', async () => {
    const bomb = recompress(batchOf([Buffer.alloc(17 * MIB), 'last']), codec, compress);
    const records = await read(bomb, batchOf(['next']));

    // One by one: to print 17 MiB that should not be there would end the process.
    expect(records.length).toBe(2);
    const [unreadable, next] = records;
    expect(unreadable?.offset).toBe('1');
    expect(unreadable?.unreadable).toContain('cannot be decompressed');
    expect(unreadable?.value.equals(bomb.subarray(61))).toBe(true);
    expect(next?.value.toString()).toBe('next');
  });

  it('is one unreadable record when its bytes are not valid', async () => {
    const [record, ...others] = await read(recompress(batchOf(['a']), codec, () => Buffer.from('nonsense')));

    expect(record?.unreadable).toContain('cannot be decompressed');
    expect(others).toEqual([]);
  });
});

describe('an LZ4 frame', () => {
  it('may repeat what it writes', () => {
    // One literal, 4 bytes of the shortest match, and a length of 15, 3 times 255 and 0.
    expect(decompressLz4(lz4Frame(lz4Run(765)), MIB).toString()).toBe('a'.repeat(1 + 4 + 15 + 765));
  });

  it('is rejected before it has more bytes than allowed', async () => {
    const blocks = Array.from({ length: 8 }, () => lz4Run(3 * MIB));
    expect(() => decompressLz4(lz4Frame(...blocks), 16 * MIB)).toThrow('more than 16777216 bytes');

    const [record] = await read(recompress(batchOf(['a']), CODEC.lz4, () => lz4Frame(...blocks)));
    expect(record?.unreadable).toContain('more than 16777216 bytes');
  });

  it('of any bytes is read within its bound or rejected', () => {
    const block = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), fc.nat(2_000), (blocks, bound) => {
        let plain: Buffer = Buffer.alloc(0);
        try {
          plain = decompressLz4(lz4Frame(...blocks), bound);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
        expect(plain.length).toBeLessThanOrEqual(bound);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a response of a broker', () => {
  const large = recompress(batchOf([Buffer.alloc(10 * MIB)]), CODEC.zstd, (bytes) => zstdCompressSync(bytes));

  it('is read up to 32 MiB and one batch, however much it would have decompressed', async () => {
    expect(await read(...Array.from({ length: 20 }, () => large))).toHaveLength(4);
  });

  it('may have a batch of more records than a call has arguments', async () => {
    const many = batchOf(Array.from({ length: 150_000 }, () => 'v'));

    expect(await read(many)).toHaveLength(150_000);
    const [record] = await read(recompress(many, CODEC.zstd, (bytes) => zstdCompressSync(bytes)));
    expect(record).toMatchObject({
      offset: '149999',
      unreadable: expect.stringContaining('150000 records') as string,
    });
  });
});
