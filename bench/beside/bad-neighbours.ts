import type { Bench, Row } from '../bench.ts';
import { signIn } from '../keys/owner.ts';
import { generate } from '../load/generate.ts';
import { ingestOf, withProductWithoutSink } from '../harness/product-harness.ts';
import { goFirst } from '../harness/priority.ts';
import { compareBeside, GOOD_CLIENT } from './good-client.ts';

/** The first is a good neighbour: what any second client of that rate costs. */
const KINDS = [
  'reading',
  '1 % invalid JSON',
  'invalid JSON',
  'wrong content type',
  'oversized body',
  'wrong checksums',
  'unknown keys',
] as const;
const NEIGHBOUR = { connections: 32, perSecond: 500, warmUpSeconds: 1 };

export const badNeighbours: Bench = {
  what: 'a good client beside one that sends invalid requests or forged keys',
  run: (options) =>
    withProductWithoutSink(async (run) => {
      const ingest = ingestOf(run);
      const owner = await signIn({ keyServiceUrl: () => run.keyServiceUrl, admin: run.admin });
      const { secret } = await owner.createKey(ingest.cellar);
      const neighbour = { ...ingest, ...NEIGHBOUR, apiKey: secret, seconds: options.seconds };
      goFirst();
      const rows: Row[] = [];
      for (const kind of KINDS) {
        const { cells, troubles } = await compareBeside(ingest, options, async (measure) => {
          const [report] = await Promise.all([generate({ ...neighbour, kind }), measure()]);
          return report;
        });
        const statuses = troubles.flatMap((report) => Object.keys(report.statuses));
        rows.push({ neighbour: kind, 'its statuses': [...new Set(statuses)].sort().join(', '), ...cells });
      }
      const note = `${GOOD_CLIENT}, alone and beside another that sends ${NEIGHBOUR.perSecond} requests/s with a key of its own.`;
      return { tables: [{ note, rows }], figures: {} };
    }),
};
