import type { Row } from '../bench.ts';
import type { Load } from '../load/run-load.ts';
import { median, round } from '../median.ts';
import { sampleLoad } from './candidate.ts';
import type { Candidate, Sample } from './candidate.ts';

export interface Compared {
  rows: Row[];
  /** Medians of the ratios to the first candidate, each taken against the run next to it. */
  ratios: Record<string, { speed: number; cpu: number }>;
}

/** Puts the same load on each candidate in turn, A B C A B C, after a warm-up of the same length. */
export async function compareLoad(
  candidates: readonly Candidate[],
  load: Load,
  pairs: number,
): Promise<Compared> {
  for (const candidate of candidates) await sampleLoad(candidate, load);
  const samples = new Map<string, Sample[]>(candidates.map(({ name }) => [name, []]));
  for (let pair = 0; pair < pairs; pair++) {
    for (const candidate of candidates) {
      samples.get(candidate.name)?.push(await sampleLoad(candidate, load));
    }
  }

  const first = samples.get(candidates[0]?.name ?? '') ?? [];
  const ratio = (of: readonly Sample[], figure: 'readingsPerSecond' | 'cpuPerReading') =>
    round(median(of.map((sample, i) => sample[figure] / (first[i]?.[figure] ?? Number.NaN))));
  const ratios: Compared['ratios'] = {};
  const rows = Array.from(samples, ([name, of]): Row => {
    const figure = (key: Exclude<keyof Sample, 'generator'>) =>
      round(median(of.map((sample) => sample[key])));
    const speed = ratio(of, 'readingsPerSecond');
    const cpu = ratio(of, 'cpuPerReading');
    ratios[name] = { speed, cpu };
    return {
      connections: load.connections,
      server: name,
      'readings/s': figure('readingsPerSecond'),
      '× bare': speed,
      'CPU µs/reading': figure('cpuPerReading'),
      'CPU × bare': cpu,
      'p50 ms': figure('p50Ms'),
      'p99 ms': figure('p99Ms'),
      MiB: figure('residentMiB'),
      refused: of.reduce((sum, { refused }) => sum + refused, 0),
      broken: of.reduce((sum, { broken }) => sum + broken, 0),
    };
  });
  return { rows, ratios };
}
