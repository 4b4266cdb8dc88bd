import type { Bench } from '../bench.ts';
import { startBaseline } from '../harness/candidate.ts';
import { compareLoad } from '../harness/compare-load.ts';
import { ingestOf, makeTopic, withProductWithoutSink } from '../harness/product-harness.ts';

export const singleReadings: Bench = {
  what: 'one reading in a request at 64 and 512 connections, against the baselines bare and minimal',
  run: ({ seconds, pairs }) =>
    withProductWithoutSink(async (run) => {
      const topic = await makeTopic(run, 'bench.minimal');
      const bare = await startBaseline('bare', run.demo);
      const minimal = await startBaseline('minimal', run.demo, run.kafkaBrokers.join(','), topic);
      try {
        const candidates = [bare, ingestOf(run), minimal];
        const at = (connections: number) =>
          compareLoad(candidates, { connections, seconds, racks: 1_000 }, pairs);
        const at64 = await at(64);
        const at512 = await at(512);
        return {
          tables: [
            {
              note: '1,000 racks, 6 partitions, one broker; authentication, rate limit, validation and acks=all are on. The sink is paused, because the baselines have none.',
              rows: [...at64.rows, ...at512.rows],
            },
          ],
          figures: {
            'single 64 × bare': at64.ratios['Cellarman']?.speed ?? Number.NaN,
            'single 64 CPU × bare': at64.ratios['Cellarman']?.cpu ?? Number.NaN,
            'single 512 × bare': at512.ratios['Cellarman']?.speed ?? Number.NaN,
            'ingest CPU µs/single reading': at64.cpu.ingest,
            'Kafka CPU µs/single reading': at64.cpu.kafka,
          },
        };
      } finally {
        await bare.stop();
        await minimal.stop();
      }
    }),
};
