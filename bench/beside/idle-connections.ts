import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { residentMiB } from '../cpu-time.ts';
import { createLoopbackAddresses, whileHolding } from '../load/held-connections.ts';
import { median, round } from '../median.ts';
import { ingestOf, withProductWithoutSink } from '../harness/product-harness.ts';
import { compareBeside, GOOD_CLIENT } from './good-client.ts';

/** A process that may open 20,000 files needs some for itself. */
const IDLE = 19_600;
/** Two processes hold them, since each may have no more open files than the service itself. */
const HOLDERS = 2;
/** Node gives memory back some time after it is free. */
const SETTLE_MS = 2_000;

export const idleConnections: Bench = {
  what: 'a good client beside 19,600 idle keep-alive connections, and their memory',
  run: (options) =>
    withProductWithoutSink(async (run) => {
      const ingest = ingestOf(run);
      const address = createLoopbackAddresses();
      const hold = (work: () => Promise<unknown>) =>
        whileHolding(
          { ...ingest, behaviour: 'idle', connections: IDLE / HOLDERS, localAddress: address() },
          work,
        );
      const { cells, troubles } = await compareBeside(ingest, options, async (measure) => {
        const before = await residentMiB(ingest.pid);
        let mib = before;
        await hold(() =>
          hold(async () => {
            await delay(SETTLE_MS);
            mib = await residentMiB(ingest.pid);
            await measure();
          }),
        );
        return ((mib - before) * 1_024) / IDLE;
      });
      const kib = round(median(troubles));
      const note = `${GOOD_CLIENT}, alone and beside connections that were used once and are idle.`;
      return {
        tables: [{ note, rows: [{ idle: IDLE, ...cells, 'KiB per connection': kib }] }],
        figures: { 'p99 × with idle connections': Number(cells['ratio']), 'KiB per idle connection': kib },
      };
    }),
};
