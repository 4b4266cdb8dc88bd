import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Row } from '../bench.ts';
import { residentMiB } from '../cpu-time.ts';
import { generate } from '../load/generate.ts';
import type { OpenLoopReport } from '../load/open-loop.ts';
import { runLoad } from '../load/run-load.ts';
import { median, round } from '../median.ts';
import type { Candidate } from '../harness/candidate.ts';
import { limitCpu } from '../harness/cpu-share.ts';
import { withNarrowKafka } from '../harness/narrow-kafka.ts';

/** A reading takes about 230 bytes, so a thousand a second fill the link. */
const LINK_BYTES_PER_SECOND = 250_000;
const CPU_SHARE = 0.2;
const PEAK_CONNECTIONS = 64;
const FLOOD_CONNECTIONS = 2_000;
const TIMES = 10;

interface Sample {
  peakPerSecond: number;
  flood: OpenLoopReport;
  peakMiB: number;
}

export const tenTimesCapacity: Bench = {
  what: 'ten times as many readings as can be stored: goodput, latency of accepted and rejected readings, memory',
  run: ({ seconds, pairs }) =>
    withNarrowKafka(LINK_BYTES_PER_SECOND, async (ingest, widen) => {
      const rows: Row[] = [];
      const measure = async (bottleneck: string) => {
        for (const obeysRetryAfter of [false, true]) {
          const samples: Sample[] = [];
          for (let n = 0; n < pairs; n++) samples.push(await sample(ingest, seconds, obeysRetryAfter));
          const clients = `${obeysRetryAfter ? 'obey' : 'ignore'} Retry-After`;
          rows.push({ bottleneck, clients, ...cellsOf(samples, seconds) });
        }
      };
      await measure('the link to Kafka');
      widen();
      const share = await limitCpu(ingest.pid, CPU_SHARE);
      if (share !== undefined) {
        try {
          await measure(`${CPU_SHARE} of a core for ingest`);
        } finally {
          await share.release();
        }
      }
      const note = `An open-loop generator with ${FLOOD_CONNECTIONS} connections, after the peak of ${PEAK_CONNECTIONS} closed-loop connections right before it. Capacity is made small, so that the generator has the CPU to offer ten times of it: by a link to Kafka that carries ${LINK_BYTES_PER_SECOND / 1_000} kB/s, then by a control group that gives ingest a fifth of a core (as root). Latency is from sending.`;
      return {
        tables: [{ note, rows }],
        figures: { 'goodput at 10 ×': Number(rows[0]?.['goodput / peak']) },
      };
    }),
};

/** The peak, and right after it what is stored when ten times as much comes. */
async function sample(ingest: Candidate, seconds: number, obeysRetryAfter: boolean): Promise<Sample> {
  const load = { connections: PEAK_CONNECTIONS, seconds: Math.min(seconds, 20), racks: 1_000 };
  const { requests, rejected, readingsPerSecond } = await runLoad(ingest, load);
  const peakPerSecond = (readingsPerSecond * (requests - rejected)) / requests;
  const flooding = generate({
    ...{ ...ingest, kind: 'reading', connections: FLOOD_CONNECTIONS, perSecond: peakPerSecond * TIMES },
    ...{ warmUpSeconds: 3, seconds, obeysRetryAfter },
  });
  let isDone = false as boolean;
  const done = flooding.finally(() => (isDone = true));
  let peakMiB = 0;
  while (!isDone) {
    peakMiB = Math.max(peakMiB, await residentMiB(ingest.pid));
    await Promise.race([delay(100), done]);
  }
  return { peakPerSecond, flood: await flooding, peakMiB };
}

function cellsOf(samples: readonly Sample[], seconds: number): Row {
  const of = (figure: (sample: Sample) => number) => round(median(samples.map(figure)));
  return {
    'peak/s': of(({ peakPerSecond }) => peakPerSecond),
    'offered/s': of(({ peakPerSecond }) => peakPerSecond * TIMES),
    'goodput / peak': of(({ flood, peakPerSecond }) => flood.accepted / seconds / peakPerSecond),
    'accepted p99 ms': of(({ flood }) => flood.acceptedLatency.sent.p99),
    'rejected p99 ms': of(({ flood }) => flood.rejectedLatency.sent.p99),
    rejected: of(({ flood }) => flood.rejected),
    'not sent': of(({ flood }) => flood.unsent),
    'without Retry-After': of(({ flood }) => flood.withoutRetryAfter),
    broken: of(({ flood }) => flood.broken + flood.unanswered),
    'peak MiB': of(({ peakMiB }) => peakMiB),
  };
}
