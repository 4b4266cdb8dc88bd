import type { Bench, BenchOptions, Row } from '../bench.ts';
import type { Candidate } from '../stage/candidate.ts';
import { median, round } from '../median.ts';
import { limitCpu } from './cpu-share.ts';
import { withPeakMemory } from './figures.ts';
import { generate } from './generate.ts';
import type { Generated } from './generate.ts';
import { withNarrowKafka } from './narrow-kafka.ts';
import { runLoad } from '../load/run-load.ts';

/** A reading takes about 230 bytes of it, so a thousand in a second fill it. */
const LINK_BYTES_PER_SECOND = 250_000;
const CPU_SHARE = 0.2;
const PEAK_CONNECTIONS = 64;
const FLOOD_CONNECTIONS = 2_000;
const TIMES = 10;
const RACKS = 1_000;

interface Sample {
  peakPerSecond: number;
  flood: Generated;
  peakMiB: number;
}

/** What can be done, and right after it what is done when ten times as much comes. */
async function pair(ingest: Candidate, seconds: number, obeysRetryAfter: boolean): Promise<Sample> {
  const load = { connections: PEAK_CONNECTIONS, seconds: Math.min(seconds, 20), racks: RACKS };
  const { requests, refused, readingsPerSecond } = await runLoad(ingest, load);
  const peakPerSecond = (readingsPerSecond * (requests - refused)) / requests;
  const { result: flood, peakMiB } = await withPeakMemory(ingest.pid, () =>
    generate(
      {
        ...ingest,
        kind: 'reading',
        connections: FLOOD_CONNECTIONS,
        perSecond: peakPerSecond * TIMES,
        warmUpSeconds: 3,
        seconds,
        obeysRetryAfter,
      },
      1,
    ),
  );
  return { peakPerSecond, flood, peakMiB };
}

function toRow(bottleneck: string, clients: string, samples: readonly Sample[]): Row {
  const of = (figure: (sample: Sample) => number) => round(median(samples.map(figure)));
  return {
    bottleneck,
    clients,
    'peak/s': of(({ peakPerSecond }) => peakPerSecond),
    'offered/s': of(({ peakPerSecond }) => peakPerSecond * TIMES),
    'goodput / peak': of(({ flood, peakPerSecond }) => flood.acceptedPerSecond / peakPerSecond),
    'accepted p99 ms': of(({ flood }) => flood.accepted99.sent),
    'refused p99 ms': of(({ flood }) => flood.refused99.sent),
    refused: of(({ flood }) => flood.refused),
    'held back': of(({ flood }) => flood.unsent),
    'without Retry-After': of(({ flood }) => flood.withoutRetryAfter),
    broken: of(({ flood }) => flood.broken + flood.unanswered),
    'peak MiB': of(({ peakMiB }) => peakMiB),
  };
}

async function measure({ seconds, pairs }: BenchOptions): Promise<Row[]> {
  return withNarrowKafka(LINK_BYTES_PER_SECOND, async (ingest, widen) => {
    const rows: Row[] = [];
    const rounds = async (bottleneck: string) => {
      for (const obeys of [false, true]) {
        const samples: Sample[] = [];
        for (let n = 0; n < pairs; n++) samples.push(await pair(ingest, seconds, obeys));
        rows.push(toRow(bottleneck, obeys ? 'obey Retry-After' : 'ignore Retry-After', samples));
      }
    };
    await rounds('the way to Kafka');
    widen();
    const share = await limitCpu(ingest.pid, CPU_SHARE);
    if (share === undefined) return rows;
    try {
      await rounds(`${CPU_SHARE} of a core for ingest`);
    } finally {
      await share.release();
    }
    return rows;
  });
}

export const tenTimesCapacity: Bench = {
  what: 'ten times as many readings as can be stored: goodput, times of accepted and refused, memory',
  async run(options) {
    const rows = await measure(options);
    const [first] = rows;
    return {
      tables: [
        {
          title: 'Ten times the capacity',
          note: `An open-loop generator with ${FLOOD_CONNECTIONS} connections, after the peak of ${PEAK_CONNECTIONS} closed-loop connections right before it. Capacity is made small, so that the generator has the CPU to offer ten times of it: by a link to Kafka that carries ${LINK_BYTES_PER_SECOND / 1_000} kB/s, then by a control group that gives ingest a fifth of a core. Times are from sending.`,
          rows,
        },
      ],
      figures: first === undefined ? {} : { 'goodput at 10 ×': Number(first['goodput / peak']) },
    };
  },
};
