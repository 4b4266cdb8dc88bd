import type { BenchOptions, Row } from '../bench.ts';
import { generate } from '../load/generate.ts';
import type { OpenLoopReport } from '../load/open-loop.ts';
import { cpuMicroseconds } from '../cpu-time.ts';
import { median, round } from '../median.ts';
import type { Candidate } from '../harness/candidate.ts';

interface Measured extends OpenLoopReport {
  ingestCpuMs: number;
}

export const GOOD_CLIENT = 'A client that sends 500 readings/s on 32 connections';

/**
 * Measures a good client alone and then beside trouble, once for each pair.
 *
 * @param trouble causes the trouble, and calls `measure` while it lasts
 * @returns the cells that all of these benches have, the CPU time of ingest during a measurement, and what each trouble returned
 */
export async function compareBeside<Trouble>(
  ingest: Candidate,
  { seconds, pairs }: BenchOptions,
  trouble: (measure: () => Promise<OpenLoopReport>) => Promise<Trouble>,
): Promise<{ cells: Row; cpu: Row; troubles: Trouble[] }> {
  const measure = async (): Promise<Measured> => {
    const load = { kind: 'reading', connections: 32, perSecond: 500, warmUpSeconds: 1, seconds } as const;
    const before = await cpuMicroseconds(ingest.pid);
    const report = await generate({ ...ingest, ...load });
    return { ...report, ingestCpuMs: ((await cpuMicroseconds(ingest.pid)) - before) / 1_000 };
  };
  const troubles: Trouble[] = [];
  const samples: { alone: Measured; beside: Measured }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const alone = await measure();
    const whileTrouble: Measured[] = [];
    troubles.push(
      await trouble(async () => {
        const report = await measure();
        whileTrouble.push(report);
        return report;
      }),
    );
    for (const beside of whileTrouble) samples.push({ alone, beside });
  }
  const p99 = ({ acceptedLatency }: OpenLoopReport) => acceptedLatency.due.p99;
  const of = (figure: (sample: (typeof samples)[number]) => number) => round(median(samples.map(figure)));
  return {
    troubles,
    cpu: {
      'ingest CPU ms alone': of(({ alone }) => alone.ingestCpuMs),
      'ingest CPU ms beside': of(({ beside }) => beside.ingestCpuMs),
      'ingest CPU ratio': of(({ alone, beside }) => beside.ingestCpuMs / alone.ingestCpuMs),
    },
    cells: {
      'p99 ms alone': of(({ alone }) => p99(alone)),
      'p99 ms beside': of(({ beside }) => p99(beside)),
      ratio: of(({ alone, beside }) => p99(beside) / p99(alone)),
      'throughput ratio': of(({ alone, beside }) => beside.accepted / alone.accepted),
      // What it could not send in time is not among them: that shows in its p99.
      'errors of the good client': samples.reduce((sum, { beside }) => sum + errorsOf(beside), 0),
    },
  };
}

function errorsOf({ rejected, broken, unanswered }: OpenLoopReport): number {
  return rejected + broken + unanswered;
}
