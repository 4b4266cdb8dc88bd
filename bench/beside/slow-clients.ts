import type { Bench, Row } from '../bench.ts';
import { createLoopbackAddresses, whileHolding } from '../load/held-connections.ts';
import { round } from '../median.ts';
import { ingestOf, withProductWithoutSink } from '../harness/product-harness.ts';
import { compareBeside, GOOD_CLIENT } from './good-client.ts';

const SLOW = 2_000;
/** Long enough that each is cut at least once. */
const LEAST_SECONDS = 15;

export const slowClients: Bench = {
  what: 'a good client beside 2,000 connections that send a byte a second: when they are cut',
  run: ({ seconds, pairs }) =>
    withProductWithoutSink(async (run) => {
      const ingest = ingestOf(run);
      const address = createLoopbackAddresses();
      const options = { seconds: Math.max(seconds, LEAST_SECONDS), pairs };
      const rows: Row[] = [];
      for (const behaviour of ['trickles headers', 'trickles body'] as const) {
        const { cells, troubles } = await compareBeside(ingest, options, (measure) =>
          whileHolding({ ...ingest, behaviour, connections: SLOW, localAddress: address() }, measure),
        );
        const shortest = Math.min(...troubles.map(({ shortestMs }) => shortestMs));
        const longest = Math.max(...troubles.map(({ longestMs }) => longestMs));
        rows.push({
          'slow clients': `${SLOW}, each ${behaviour}`,
          'cut after s': `${round(shortest / 1_000)} – ${round(longest / 1_000)}`,
          cut: troubles.reduce((sum, { cut }) => sum + cut, 0),
          'with 408': troubles.reduce((sum, { statuses }) => sum + (statuses['408'] ?? 0), 0),
          ...cells,
        });
      }
      const note = `${GOOD_CLIENT}, alone and beside ${SLOW} connections that send a byte a second and connect again when they are cut.`;
      return { tables: [{ note, rows }], figures: {} };
    }),
};
