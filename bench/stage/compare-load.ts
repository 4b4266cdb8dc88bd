import type { Row } from '../bench.ts';
import { cpuMicroseconds } from '../cpu-time.ts';
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
  return compare(
    rounds,
    load,
    candidates.map(({ name }) => name),
  );
}

/**
 * Tells a few per cent of CPU, which compareLoad() does not: two processes that are alike differ for as long as they live, and a
 * machine with neighbours is faster now and slower ten seconds later. So each round has processes of its own, and each
 * second the load goes to another one of them, in an order by chance. What a process does between its seconds counts as
 * well: spans are sent later.
 */
export async function compareLoadInTurns(
  starts: Readonly<Record<string, () => Promise<Baseline>>>,
  load: Load,
  pairs: number,
): Promise<Compared> {
  const rounds: Round[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const candidates: Baseline[] = [];
    try {
      for (const start of shuffled(Object.values(starts))) candidates.push(await start());
      await sampleEach(candidates, load);
      rounds.push(await sampleInTurns(candidates, load));
    } finally {
      for (const candidate of candidates) await candidate.stop();
    }
  }
  return compare(rounds, load, Object.keys(starts));
}

/** One sample of each candidate, by its name. */
type Round = Map<string, Sample>;

async function sampleEach(candidates: readonly Candidate[], load: Load): Promise<Round> {
  const round: Round = new Map();
  for (const candidate of candidates) round.set(candidate.name, await sampleLoad(candidate, load));
  return round;
}

async function sampleInTurns(candidates: readonly Candidate[], load: Load): Promise<Round> {
  const turns = new Map<Candidate, Sample[]>(candidates.map((candidate) => [candidate, []]));
  const before = await Promise.all(candidates.map(({ pid }) => cpuMicroseconds(pid)));
  for (let second = 0; second < load.seconds; second++) {
    // It matters who was measured before.
    for (const candidate of shuffled(candidates)) {
      turns.get(candidate)?.push(await sampleLoad(candidate, { ...load, seconds: 1 }));
    }
  }
  const after = await Promise.all(candidates.map(({ pid }) => cpuMicroseconds(pid)));
  return new Map(
    candidates.map((candidate, i) => [
      candidate.name,
      sumOf(turns.get(candidate) ?? [], (after[i] ?? Number.NaN) - (before[i] ?? Number.NaN), load),
    ]),
  );
}

/** Percentiles are medians of those of the turns. */
function sumOf(turns: readonly Sample[], cpu: number, load: Load): Sample {
  const [first] = turns;
  if (first === undefined) throw new Error('There was no turn to measure');
  const sum = (figure: 'requests' | 'refused' | 'broken') =>
    turns.reduce((all, turn) => all + turn[figure], 0);
  const middle = (figure: 'readingsPerSecond' | 'p50Ms' | 'p99Ms') =>
    median(turns.map((turn) => turn[figure]));
  const most = (figure: 'maxMs' | 'residentMiB') => Math.max(...turns.map((turn) => turn[figure]));
  return {
    generator: first.generator,
    requests: sum('requests'),
    readingsPerSecond: middle('readingsPerSecond'),
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    maxMs: most('maxMs'),
    refused: sum('refused'),
    broken: sum('broken'),
    cpuPerReading: cpu / (sum('requests') * (load.readingsInARequest ?? 1)),
    residentMiB: most('residentMiB'),
  };
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function compare(rounds: readonly Round[], load: Load, names: readonly string[]): Compared {
  const samplesOf = (name = ''): Sample[] =>
    rounds.map((samples) => samples.get(name)).filter((sample) => sample !== undefined);
  const first = samplesOf(names[0]);
  const ratiosOf = (of: readonly Sample[], figure: 'readingsPerSecond' | 'cpuPerReading') =>
    of.map((sample, i) => sample[figure] / (first[i]?.[figure] ?? Number.NaN));
  const ratios: Compared['ratios'] = {};
  const rows = names.map((name): Row => {
    const of = samplesOf(name);
    const figure = (key: Exclude<keyof Sample, 'generator'>) =>
      round(median(of.map((sample) => sample[key])));
    const speed = round(median(ratiosOf(of, 'readingsPerSecond')));
    const cpuRatios = ratiosOf(of, 'cpuPerReading');
    const cpu = round(median(cpuRatios));
    ratios[name] = { speed, cpu };
    return {
      connections: load.connections,
      server: name,
      'readings/s': figure('readingsPerSecond'),
      '× bare': speed,
      'CPU µs/reading': figure('cpuPerReading'),
      'CPU × bare': cpu,
      'CPU × bare, least to most': `${round(Math.min(...cpuRatios))} to ${round(Math.max(...cpuRatios))}`,
      'p50 ms': figure('p50Ms'),
      'p99 ms': figure('p99Ms'),
      MiB: figure('residentMiB'),
      refused: of.reduce((sum, { refused }) => sum + refused, 0),
      broken: of.reduce((sum, { broken }) => sum + broken, 0),
    };
  });
  return { rows, ratios };
}
