import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import { clickhouseLogin } from '@cellarman/local-stack';
import type { Bench } from '../bench.ts';
import { round } from '../median.ts';
import { percentile } from '../percentile.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { ingestOf, withProduct } from '../stage/product-stage.ts';
import { readingBody } from '../stage/reading-body.ts';

const PER_SECOND = 5_000;
/** One reading in so many is looked for, so that the looking costs little: 20 a second. */
const PROBE_EVERY = 250;
const LOOK_EVERY_MS = 25;
const GIVE_UP_MS = 15_000;

export const visible: Bench = {
  what: `from posting a reading until a query of the view shows it, at ${PER_SECOND.toLocaleString('en')} readings a second`,
  run: ({ seconds }) =>
    withProduct(async (run) => {
      const ingest = ingestOf(run);
      const clickhouse = createClient({ ...clickhouseLogin(run), database: run.clickhouseDatabase });
      const load = (rack: string, duration: number, onProbe: (number: number, due: number) => void) =>
        runOpenLoop({
          ...{ url: ingest.url, path: '/api/v1/ingest', connections: 64 },
          ...{ perSecond: PER_SECOND, seconds: duration },
          headers: { 'content-type': 'application/json', 'x-api-key': ingest.apiKey },
          body(number, due) {
            if (number % PROBE_EVERY !== 0) {
              return readingBody(ingest.cellar, `rack-${(number % 1_000) + 1}`, number / 1_000);
            }
            onProbe(number, due);
            return readingBody(ingest.cellar, rack, number);
          },
        });
      await load('warm-up', seconds, () => undefined);

      const due = new Map<number, number>();
      const latencies: number[] = [];
      const state = { isSending: true };
      const sending = load('probe', seconds * 3, (number, at) => due.set(number, at)).finally(
        () => (state.isSending = false),
      );
      let seenUpTo = -1;
      let giveUpAt = Infinity;
      while (state.isSending || due.size > 0) {
        if (!state.isSending) giveUpAt = Math.min(giveUpAt, performance.now() + GIVE_UP_MS);
        if (performance.now() > giveUpAt) break;
        const answer = await clickhouse.query({
          query: `SELECT value FROM readings WHERE cellar = {cellar: String} AND rack = 'probe' AND keg = 'temperature' AND value > {seenUpTo: Float64}`,
          query_params: { cellar: ingest.cellar, seenUpTo },
          format: 'JSONEachRow',
        });
        const rows = await answer.json<{ value: number }>();
        const now = performance.now();
        for (const { value } of rows) {
          const at = due.get(value);
          if (at !== undefined) latencies.push(now - at);
          due.delete(value);
        }
        // Probes may show out of order, when one was posted again: ask from the oldest that is missing.
        const missing = Math.min(...due.keys());
        const newest = Math.max(seenUpTo, ...rows.map(({ value }) => value));
        seenUpTo = Math.min(newest, missing - 1);
        await delay(LOOK_EVERY_MS);
      }
      const { answers, latenciesMs } = await sending;
      await clickhouse.close();

      latencies.sort((a, b) => a - b);
      const p50 = round(percentile(latencies, 0.5));
      const p99 = round(percentile(latencies, 0.99));
      return {
        tables: [
          {
            title: 'Visible',
            note: `${PER_SECOND.toLocaleString('en')} single readings a second for ${seconds * 3} s, from the moment when each was due. One in ${PROBE_EVERY} is looked for in the view \`readings\`, again ${LOOK_EVERY_MS} ms after each look.`,
            rows: [
              {
                ...{ 'looked for': latencies.length + due.size, 'never seen': due.size },
                'acknowledged p50 ms': round(percentile(latenciesMs, 0.5)),
                'acknowledged p99 ms': round(percentile(latenciesMs, 0.99)),
                'visible p50 ms': p50,
                'visible p99 ms': p99,
                'visible max ms': round(percentile(latencies, 1)),
                'not 200': Object.entries(answers).reduce(
                  (sum, [code, count]) => sum + (code === '200' ? 0 : count),
                  0,
                ),
              },
            ],
          },
        ],
        figures: { 'visible p50 ms': p50, 'visible p99 ms': p99 },
      };
    }),
};
