import type { Bench } from '../bench.ts';
import { median, round } from '../median.ts';
import { sampleLoad } from '../stage/candidate.ts';
import { ingestOf, withProductWithoutSink } from '../stage/product-stage.ts';

const FEW = 1_000;
const MANY = 1_000_000;

export const growth: Bench = {
  what: 'CPU time of ingest for a reading with 1,000 racks and with 1,000,000',
  run: ({ seconds, pairs }) =>
    withProductWithoutSink(async (run) => {
      const ingest = ingestOf(run);
      const load = (racks: number) => sampleLoad(ingest, { connections: 64, seconds, racks });
      await load(FEW);
      await load(MANY);
      const samples = [];
      for (let pair = 0; pair < pairs; pair++) {
        samples.push({ few: (await load(FEW)).cpuPerReading, many: (await load(MANY)).cpuPerReading });
      }
      const ratio = round(median(samples.map(({ few, many }) => many / few)));
      return {
        tables: [
          {
            title: 'Growth',
            note: 'Single readings at 64 connections, the rack of each drawn at random from so many. Names of racks are equally long.',
            rows: [
              { racks: FEW, 'CPU µs/reading': round(median(samples.map(({ few }) => few))), ratio: 1 },
              { racks: MANY, 'CPU µs/reading': round(median(samples.map(({ many }) => many))), ratio },
            ],
          },
        ],
        figures: { 'CPU × at 1,000,000 racks': ratio },
      };
    }),
};
