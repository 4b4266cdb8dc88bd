import type { Bench, Row } from '../bench.ts';
import { generate } from '../load/generate.ts';
import type { OpenLoopReport } from '../load/open-loop.ts';
import { median, round } from '../median.ts';
import { sampleLoad } from '../harness/candidate.ts';
import { ingestOf, withProduct } from '../harness/product-harness.ts';

const CONNECTIONS = 64;

export const latency: Bench = {
  what: 'latency of single readings at half of the peak rate, sent on time whether or not responses come',
  run: ({ seconds, pairs }) =>
    withProduct(async (run, product) => {
      const ingest = ingestOf(run);
      const load = { connections: CONNECTIONS, seconds, racks: 1_000 };
      const measure = async (sink: string): Promise<Row> => {
        await sampleLoad(ingest, load);
        const peak = (await sampleLoad(ingest, load)).readingsPerSecond;
        const rate = { connections: CONNECTIONS, perSecond: peak / 2, seconds };
        const reports: OpenLoopReport[] = [];
        for (let pair = 0; pair < pairs; pair++)
          reports.push(await generate({ ...ingest, ...rate, kind: 'reading' }));
        const of = (figure: 'p50' | 'p99' | 'p999' | 'max') =>
          round(median(reports.map(({ acceptedLatency }) => acceptedLatency.due[figure])));
        return {
          ...{ sink, 'peak/s': round(peak), 'sent/s': round(peak / 2) },
          ...{ 'p50 ms': of('p50'), 'p99 ms': of('p99'), 'p99.9 ms': of('p999'), 'max ms': of('max') },
          'not 200': reports.reduce(
            (sum, report) => sum + report.rejected + report.broken + report.unsent,
            0,
          ),
        };
      };
      product.kill('sink', 0, 'SIGSTOP');
      const paused = await measure('paused').finally(() => product.kill('sink', 0, 'SIGCONT'));
      const running = await measure('running');
      const note = `Single readings at half of the rate that wrk reached just before at ${CONNECTIONS} connections, from the moment when each was due (an open loop, so a stall counts for all readings that it delays).`;
      return {
        tables: [{ note, rows: [paused, running] }],
        figures: { 'p99 ms at half of the peak': Number(running['p99 ms']) },
      };
    }),
};
