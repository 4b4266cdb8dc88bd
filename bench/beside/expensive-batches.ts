import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Row } from '../bench.ts';
import { cpuMicroseconds } from '../cpu-time.ts';
import { signIn } from '../keys/owner.ts';
import { generate } from '../load/generate.ts';
import { EXPENSIVE_BATCHES } from '../load/requests.ts';
import { median, round } from '../median.ts';
import { goFirst } from '../harness/priority.ts';
import { ingestOf, withProductWithoutSink } from '../harness/product-harness.ts';
import { compareBeside, GOOD_CLIENT } from './good-client.ts';

/** More than the connections can send, so that each sends the next batch within a millisecond of the response. */
const FLOOD = { connections: 8, perSecond: 100_000 };
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
          const flood = delay(1_000).then(() =>
            generate({ url: ingest.url, apiKey: secret, cellar: CELLAR, kind, seconds, ...FLOOD }),
          );
          const [cpuBefore, begun] = [await cpuMicroseconds(ingest.pid), performance.now()];
          await measure();
          const cpuMs = ((await cpuMicroseconds(ingest.pid)) - cpuBefore) / (performance.now() - begun);
          const { statuses, broken } = await flood;
          const rejected = statuses['429'] ?? 0;
          const all = Object.values(statuses).reduce((sum, count) => sum + count, broken);
          return { cpuMs, rejected, others: all - rejected };
        });
        const of = (figure: keyof (typeof troubles)[number]) =>
          median(troubles.map((trouble) => trouble[figure]));
        rows.push({
          ...{ batch: kind, '429/s': round(of('rejected') / seconds) },
          ...{ 'others/s': round(of('others') / seconds), 'ingest CPU ms/s': round(of('cpuMs')) },
          ...cells,
        });
      }
      const note = `${GOOD_CLIENT}, alone and beside ${FLOOD.connections} connections of another key (${RATE_LIMIT.perSecond}/s, burst ${RATE_LIMIT.burst}) that send the same batch again after each response, from the start of the measurement and with a full bucket.`;
      return { tables: [{ note, rows }], figures: {} };
    }),
};
