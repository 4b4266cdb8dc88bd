import type { Bench, Row } from '../bench.ts';
import { median, round } from '../median.ts';
import { percentile } from '../percentile.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { sampleLoad } from '../stage/candidate.ts';
import { ingestOf, withProduct } from '../stage/product-stage.ts';
import { readingBody } from '../stage/reading-body.ts';

const CONNECTIONS = 64;

export const latency: Bench = {
  what: 'how long single readings take at half of the peak rate, sent on time whether answers come or not',
  run: ({ seconds, pairs }) =>
    withProduct(async (run, product) => {
      const ingest = ingestOf(run);
      const load = { connections: CONNECTIONS, seconds, racks: 1_000 };
      const atRate = async (perSecond: number) => {
        const { answers, latenciesMs } = await runOpenLoop({
          ...{ url: ingest.url, path: '/api/v1/ingest', connections: CONNECTIONS, perSecond, seconds },
          headers: { 'content-type': 'application/json', 'x-api-key': ingest.apiKey },
          body: (number) =>
            readingBody(ingest.cellar, `rack-${(number % 1_000) + 1}`, Math.round(Math.random() * 1e6) / 1e4),
        });
        return {
          p50: percentile(latenciesMs, 0.5),
          p99: percentile(latenciesMs, 0.99),
          p999: percentile(latenciesMs, 0.999),
          max: percentile(latenciesMs, 1),
          notOk: Object.entries(answers).reduce((sum, [code, n]) => sum + (code === '200' ? 0 : n), 0),
        };
      };
      const measure = async (name: string): Promise<Row & { 'p99 ms': number }> => {
        await sampleLoad(ingest, load);
        const peak = (await sampleLoad(ingest, load)).readingsPerSecond;
        const samples: Awaited<ReturnType<typeof atRate>>[] = [];
        for (let round = 0; round < pairs; round++) samples.push(await atRate(peak / 2));
        const of = (key: 'p50' | 'p99' | 'p999' | 'max') =>
          round(median(samples.map((sample) => sample[key])));
        return {
          sink: name,
          'peak/s': round(peak),
          'sent/s': round(peak / 2),
          'p50 ms': of('p50'),
          'p99 ms': of('p99'),
          'p99.9 ms': of('p999'),
          'max ms': of('max'),
          'not 200': samples.reduce((sum, { notOk }) => sum + notOk, 0),
        };
      };

      product.kill('sink', 0, 'SIGSTOP');
      const paused = await measure('paused').finally(() => product.kill('sink', 0, 'SIGCONT'));
      const running = await measure('running');
      return {
        tables: [
          {
            title: 'Latency',
            note: `Single readings at half of the rate that wrk reached just before at ${CONNECTIONS} connections, from the moment when each was due (an open loop, so a stall counts for all that it delays).`,
            rows: [paused, running],
          },
        ],
        figures: { 'p99 ms at half rate': paused['p99 ms'] },
      };
    }),
};
