import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { batchesOf } from '../src/send/batches.ts';
import { csvReadings } from '../src/send/csv-readings.ts';
import { MOST_BYTES } from '../src/send/file-reading.ts';
import type { FileReading } from '../src/send/file-reading.ts';
import { ndjsonReadings } from '../src/send/ndjson-readings.ts';

/** In pieces of a few bytes, so that lines and characters are cut anywhere. */
function pieces(content: string | Buffer, size = 3): Readable {
  const bytes = Buffer.from(content);
  const count = Math.ceil(bytes.length / size);
  return Readable.from(
    Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size)),
    { objectMode: false },
  );
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function all(readings: AsyncIterable<FileReading>): Promise<[number, string][]> {
  return (await collect(readings)).map(({ line, json }) => [line, json.toString()]);
}

describe('NDJSON', () => {
  test('goes as it is, with the lines of the file', async () => {
    expect(await all(ndjsonReadings(pieces('{"a":1.50}\r\n\n \t\n{broken\n"ü"')))).toEqual([
      [1, '{"a":1.50}\r'],
      [4, '{broken'],
      [5, '"ü"'],
    ]);
  });

  test('keeps no more of a line than is needed to reject it', async () => {
    const long = Buffer.alloc(3 * MOST_BYTES, 'x');
    const [first, second] = await all(
      ndjsonReadings(pieces(Buffer.concat([long, Buffer.from('\n{}')]), 65_536)),
    );
    expect(first?.[1]).toHaveLength(MOST_BYTES);
    expect(second).toEqual([2, '{}']);
  });
});

describe('a batch', () => {
  test('does not wait for a sensor that has nothing more to send', async () => {
    async function* sensor(): AsyncGenerator<FileReading> {
      yield* [1, 2, 3].map((line) => ({ line, json: Buffer.from('{}') }));
      await new Promise(() => undefined);
    }
    const batches = batchesOf(sensor());
    const first = await batches.next();
    expect(first.value?.map(({ line }) => line)).toEqual([1, 2, 3]);
    // And it ends, although the sensor never does.
    expect(await batches.return()).toMatchObject({ done: true });
  });
});

describe('CSV', () => {
  test('numbers keep their digits; what is none goes as text, for ingest to reject', async () => {
    const content =
      '\uFEFFtimestamp,rack,keg,value\n2026-11-21T06:30:00Z,"a ""b"",c",ü,21.50\nt,r,k,9007199254740993\nt,r,k,much\nt,r,k,\n';
    const rest = '"timestamp":"t","rack":"r","keg":"k"';
    expect(await all(csvReadings(pieces(content), 'demo'))).toEqual([
      [
        2,
        '{"cellar":"demo","timestamp":"2026-11-21T06:30:00Z","rack":"a \\"b\\",c","keg":"ü","value":21.50}',
      ],
      [3, `{"cellar":"demo",${rest},"value":9007199254740993}`],
      [4, `{"cellar":"demo",${rest},"value":"much"}`],
      [5, `{"cellar":"demo",${rest},"value":""}`],
    ]);
  });

  test('a row with too few fields, and bytes that are no text, make no reading', async () => {
    const heading = Buffer.from('cellar,rack,keg,value,timestamp\n');
    const bytes = Buffer.concat([
      heading,
      Buffer.from('c,r\nc,'),
      Buffer.from([0xff]),
      Buffer.from(',k,1,t\n'),
    ]);
    const [short, broken] = await collect(csvReadings(pieces(bytes), undefined));
    expect(short).toEqual({ line: 2, json: Buffer.from('["c","r"]') });
    expect(broken).toEqual({ line: 3, json: Buffer.from([0xff]) });
  });

  test.each([
    ['cellar,rack,keg,value\n', undefined, 'missing column timestamp'],
    ['rack,keg,value,timestamp\n', undefined, 'missing column cellar'],
    ['rack,keg,value,timestamp,colour\n', 'demo', 'unknown column colour'],
    ['rack,keg,value,timestamp\n"a\n', 'demo', 'invalid CSV'],
  ])('%j is an error', async (content, cellar, fault) => {
    await expect(all(csvReadings(pieces(content), cellar))).rejects.toThrow(fault);
  });
});

test('batches are neither long nor large, and keep the order', async () => {
  const sizes = [...Array.from({ length: 2_500 }, () => 10), 700_000, 700_000, 5];
  const readings = sizes.map((size, i) => ({ line: i + 1, json: Buffer.alloc(size) }));
  const batches = await collect(batchesOf(Readable.from(readings) as AsyncIterable<FileReading>));
  expect(batches.map((batch) => batch.length)).toEqual([1_000, 1_000, 501, 2]);
  expect(batches.flat().map(({ line }) => line)).toEqual(readings.map(({ line }) => line));
});
