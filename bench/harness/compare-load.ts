import type { Row } from '../bench.ts';
import type { Load } from '../load/run-load.ts';
import { median, round } from '../median.ts';
import { sampleLoad } from './candidate.ts';
import type { Candidate, Sample } from './candidate.ts';

export interface Compared {
  rows: Row[];
  /** Medians of the ratios to the first candidate, each taken against the run next to it. */
  ratios: Record<string, { speed: number; cpu: number }>;
  /** Figures of the candidate Cellarman, in µs of CPU for a reading. */
  cpu: { ingest: number; kafka: number };
}

/** Puts the same load on one candidate after the other, A B C A B C, after a warm-up of the same length. */
export async function compareLoad(
  candidates: readonly Candidate[],
  load: Load,
  pairs: number,
): Promise<Compared> {
  const samples = new Map<string, Sample[]>(candidates.map(({ name }) => [name, []]));
  for (let pair = -1; pair < pairs; pair++) {
    for (const candidate of candidates) {
      const sample = await sampleLoad(candidate, load);
      if (pair >= 0) samples.get(candidate.name)?.push(sample);
    }
  }
  const [first = []] = samples.values();
  const ratios: Compared['ratios'] = {};
  const rows = [...samples].map(([server, of]): Row => {
    const middle = (key: keyof Sample) => round(median(of.map((sample) => sample[key])));
    const ratio = (key: 'readingsPerSecond' | 'cpuPerReading') =>
      round(median(of.map((sample, i) => sample[key] / (first[i]?.[key] ?? Number.NaN))));
    const speed = ratio('readingsPerSecond');
    const cpu = ratio('cpuPerReading');
    ratios[server] = { speed, cpu };
    return {
      connections: load.connections,
      server,
      'readings/s': middle('readingsPerSecond'),
      '× bare': speed,
      'CPU µs/reading': middle('cpuPerReading'),
      'CPU × bare': cpu,
      'Kafka µs/reading': middle('kafkaCpuPerReading'),
      'p50 ms': middle('p50Ms'),
      'p99 ms': middle('p99Ms'),
      MiB: middle('residentMiB'),
      rejected: of.reduce((sum, { rejected }) => sum + rejected, 0),
      broken: of.reduce((sum, { broken }) => sum + broken, 0),
    };
  });
  const ofCellarman = samples.get('Cellarman') ?? [];
  const cpuOf = (key: 'cpuPerReading' | 'kafkaCpuPerReading') =>
    round(median(ofCellarman.map((sample) => sample[key])));
  return { rows, ratios, cpu: { ingest: cpuOf('cpuPerReading'), kafka: cpuOf('kafkaCpuPerReading') } };
}
