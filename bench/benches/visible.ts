import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import { clickhouseLogin } from '@cellarman/local-stack';
import type { Bench } from '../bench.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { post, readingBody } from '../load/requests.ts';
import { round } from '../median.ts';
import { percentile } from '../percentile.ts';
import { ingestOf, withProduct } from '../harness/product-harness.ts';

const PER_SECOND = 5_000;
/** The share of readings that is looked for, so that looking costs little: 20 a second. */
const PROBE_EVERY = 250;
const POLL_MS = 25;
const GIVE_UP_MS = 15_000;

export const visible: Bench = {
  what: `from posting a reading until a query of the view shows it, at ${PER_SECOND.toLocaleString('en')} readings a second`,
  run: ({ seconds }) =>
    withProduct(async (run) => {
      const ingest = ingestOf(run);
      const clickhouse = createClient({ ...clickhouseLogin(run), database: run.clickhouseDatabase });
      const load = (rack: string, duration: number, onProbe: (number: number, dueMs: number) => void) =>
        runOpenLoop({
          ...{ url: ingest.url, connections: 64, perSecond: PER_SECOND, seconds: duration },
          request(number, dueMs) {
            const isProbe = number % PROBE_EVERY === 0;
            if (isProbe) onProbe(number, dueMs);
            return post(
              ingest,
              readingBody(ingest.cellar, isProbe ? rack : `rack-${number % 1_000}`, number),
            );
          },
        });
      await load('warm-up', seconds, () => undefined);

      const due = new Map<number, number>();
      const latencies: number[] = [];
      const state = { isSending: true };
      const sending = load('probe', seconds * 3, (number, dueMs) => due.set(number, dueMs)).finally(
        () => (state.isSending = false),
      );
      let seenUpTo = -1;
      let giveUpAt = Infinity;
      while (state.isSending || due.size > 0) {
        if (!state.isSending) giveUpAt = Math.min(giveUpAt, performance.now() + GIVE_UP_MS);
        if (performance.now() > giveUpAt) break;
        const result = await clickhouse.query({
          query: `SELECT value FROM readings WHERE cellar = {cellar: String} AND rack = 'probe' AND keg = 'temperature' AND value > {seenUpTo: Float64}`,
          query_params: { cellar: ingest.cellar, seenUpTo },
          format: 'JSONEachRow',
        });
        const rows = await result.json<{ value: number }>();
        const now = performance.now();
        for (const { value } of rows) {
          const dueMs = due.get(value);
          if (dueMs !== undefined) latencies.push(now - dueMs);
          due.delete(value);
        }
        // Probes may show out of order, so the next query starts at the oldest that is missing.
        const missing = Math.min(...due.keys());
        seenUpTo = Math.min(Math.max(seenUpTo, ...rows.map(({ value }) => value)), missing - 1);
        await delay(POLL_MS);
      }
      const { acceptedLatency, rejected, broken, unanswered, unsent } = await sending;
      await clickhouse.close();

      latencies.sort((a, b) => a - b);
      const p50 = round(percentile(latencies, 0.5));
      const p99 = round(percentile(latencies, 0.99));
      const row = {
        ...{ 'looked for': latencies.length + due.size, 'never seen': due.size },
        'acknowledged p50 ms': round(acceptedLatency.due.p50),
        'acknowledged p99 ms': round(acceptedLatency.due.p99),
        'visible p50 ms': p50,
        'visible p99 ms': p99,
        'visible max ms': round(percentile(latencies, 1)),
        'not 200': rejected + broken + unanswered + unsent,
      };
      const note = `${PER_SECOND.toLocaleString('en')} single readings a second for ${seconds * 3} s, from the moment when each was due. One in ${PROBE_EVERY} is looked for in the view \`readings\`, every ${POLL_MS} ms.`;
      const figures = {
        ...{ 'visible p50 ms': p50, 'visible p99 ms': p99 },
        'acknowledged p50 ms': row['acknowledged p50 ms'],
      };
      return { tables: [{ note, rows: [row] }], figures };
    }),
};
