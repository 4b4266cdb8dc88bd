import { COMPRESSIONS } from '@cellarman/kafka';
import type { Bench } from '../bench.ts';
import { measureBatch, messagesOfPartition } from '../bytes/record-batches.ts';
import type { BatchSample } from '../bytes/record-batches.ts';
import { median, round } from '../median.ts';

/** Smaller ones are not compressed. */
const SIZES = [8, 16, 100, 1_000];
const SECONDS = 0.2;

export const recordBatches: Bench = {
  what: 'bytes and CPU of a reading in a record batch, by size and compression; without engines',
  run: ({ pairs }) => {
    const all = messagesOfPartition(Math.max(...SIZES));
    const candidates = SIZES.flatMap((size) => COMPRESSIONS.map((compression) => ({ size, compression })));
    const samples = new Map(candidates.map((candidate) => [candidate, [] as BatchSample[]]));
    for (let pair = 1; pair <= pairs; pair++) {
      for (const [{ size, compression }, list] of samples) {
        list.push(measureBatch(all.slice(0, size), compression, SECONDS));
      }
    }
    const rows = Array.from(samples, ([{ size, compression }, list]) => {
      const of = (figure: keyof BatchSample) => round(median(list.map((sample) => sample[figure])));
      return {
        'readings in a batch': size,
        compression,
        'bytes/reading': of('bytes'),
        'encode CPU µs/reading': of('encodeMicroseconds'),
        'decompress CPU µs/reading': of('decompressMicroseconds'),
      };
    });
    const hundred = rows.find((row) => row['readings in a batch'] === 100 && row.compression === 'zstd');
    return Promise.resolve({
      tables: [
        {
          note: 'Readings of one of 6 partitions: 5,000 racks, each with an API key of its own and 4 kegs, which it measures once a minute at the same millisecond; names and values of the simulator. Encoding includes compression and checksum.',
          rows,
        },
      ],
      figures: { 'bytes/reading in the topic': hundred?.['bytes/reading'] ?? Number.NaN },
    });
  },
};
