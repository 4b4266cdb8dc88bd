import type { Bench, Row } from '../bench.ts';
import { cpuMicroseconds } from '../cpu-time.ts';
import { signIn } from '../keys/owner.ts';
import { EXPENSIVE_BATCHES } from '../load/flood.ts';
import type { FloodOptions, FloodReport } from '../load/flood.ts';
import { runScript } from '../load/generate.ts';
import { median, round } from '../median.ts';
import { goFirst } from '../harness/priority.ts';
import { ingestOf, withProductWithoutSink } from '../harness/product-harness.ts';
import { compareBeside, GOOD_CLIENT } from './good-client.ts';

const CONNECTIONS = 8;
const CELLAR = 'flood';
/** The defaults of an installation; the cellar of the local stack has no such limit. */
const RATE_LIMIT = { perSecond: 1_000, burst: 10_000 };

export const expensiveBatches: Bench = {
  what: 'a good client beside 8 connections that send compressed bombs and batches over the limit as fast as they can',
  run: (options) =>
    withProductWithoutSink(async (run) => {
      const { seconds } = options;
      const ingest = ingestOf(run);
      const owner = await signIn({ keyServiceUrl: () => run.keyServiceUrl, admin: run.admin });
      await owner.createCellar(CELLAR, { rateLimit: RATE_LIMIT });
      goFirst();
      const rows: Row[] = [];
      for (const kind of EXPENSIVE_BATCHES) {
        const { cells, troubles } = await compareBeside(ingest, options, async (measure) => {
          // A new key has a full bucket. The flood begins when the measurement does.
          const { secret } = await owner.createKey(CELLAR);
          const flood: FloodOptions = {
            ...{ url: ingest.url, apiKey: secret, cellar: CELLAR, kind, seconds },
            ...{ connections: CONNECTIONS, afterSeconds: 1 },
          };
          const [cpuBefore, begun] = [await cpuMicroseconds(ingest.pid), performance.now()];
          const [report] = await Promise.all([runScript<FloodReport>('flood.ts', flood), measure()]);
          const cpuMs = ((await cpuMicroseconds(ingest.pid)) - cpuBefore) / (performance.now() - begun);
          const rejected = report.statuses['429'] ?? 0;
          const all = Object.values(report.statuses).reduce((sum, count) => sum + count, 0);
          return { bytes: report.bytes, cpuMs, rejected, others: all - rejected };
        });
        const of = (figure: keyof (typeof troubles)[number]) =>
          median(troubles.map((trouble) => trouble[figure]));
        rows.push({
          ...{ batch: kind, bytes: of('bytes'), '429/s': round(of('rejected') / seconds) },
          ...{ 'others/s': round(of('others') / seconds), 'ingest CPU ms/s': round(of('cpuMs')) },
          ...cells,
        });
      }
      const note = `${GOOD_CLIENT}, alone and beside ${CONNECTIONS} connections of another key (${RATE_LIMIT.perSecond}/s, burst ${RATE_LIMIT.burst}) that send the same batch again after each response, from the start of the measurement and with a full bucket.`;
      return { tables: [{ note, rows }], figures: {} };
    }),
};
