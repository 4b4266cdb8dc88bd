import type { Row } from '../bench.ts';
import type { Load } from '../load/run-load.ts';
import { median, round } from '../median.ts';
import { sampleLoad } from './candidate.ts';
import type { Baseline, Candidate, Sample } from './candidate.ts';

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
  await sampleEach(candidates, load);
  const rounds: Round[] = [];
  for (let pair = 0; pair < pairs; pair++) rounds.push(await sampleEach(candidates, load));
  return compare(rounds, load);
}

/**
 * The same with processes of its own for each round, each after a warm-up: two that are alike differ by some per cent for as
 * long as they live, so more rounds with the same ones would not tell what differs for another reason. Each round begins with
 * another one, A B C, B C A, because it matters who was measured before.
 */
export async function compareLoadAnew(
  starts: readonly (() => Promise<Baseline>)[],
  load: Load,
  pairs: number,
): Promise<Compared> {
  const rounds: Round[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const candidates: Baseline[] = [];
    try {
      const first = pair % starts.length;
      for (const start of [...starts.slice(first), ...starts.slice(0, first)]) candidates.push(await start());
      await sampleEach(candidates, load);
      rounds.push(await sampleEach(candidates, load));
    } finally {
      for (const candidate of candidates) await candidate.stop();
    }
  }
  return compare(rounds, load);
}

/** One sample of each candidate, by its name. */
type Round = Map<string, Sample>;

async function sampleEach(candidates: readonly Candidate[], load: Load): Promise<Round> {
  const round: Round = new Map();
  for (const candidate of candidates) round.set(candidate.name, await sampleLoad(candidate, load));
  return round;
}

function compare(rounds: readonly Round[], load: Load): Compared {
  const names = [...(rounds[0]?.keys() ?? [])];
  const samplesOf = (name = ''): Sample[] =>
    rounds.map((samples) => samples.get(name)).filter((sample) => sample !== undefined);
  const first = samplesOf(names[0]);
  const ratio = (of: readonly Sample[], figure: 'readingsPerSecond' | 'cpuPerReading') =>
    round(median(of.map((sample, i) => sample[figure] / (first[i]?.[figure] ?? Number.NaN))));
  const ratios: Compared['ratios'] = {};
  const rows = names.map((name): Row => {
    const of = samplesOf(name);
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
