/* eslint-disable no-console -- prints tables */
/**
 * The bench: Cellarman against baselines that run next to it. Without a name it lists what there is.
 *
 * `npx -y pnpm@12 bench [NAME … | all] [--seconds 10] [--pairs 3] [--again] [--record]`
 *
 * Each result goes to `.local/bench/NAME.json`. "all" leaves out what was measured at this commit already, unless --again is
 * given, so that an interrupted run goes on where it stopped. --record writes what was measured into docs/performance.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { BENCHES } from './benches/list.ts';
import { record } from './record/record.ts';
import { currentCommit, currentLoad, describeMachine, lastResult, storeResult } from './record/results.ts';

const HELP = `Usage: npx -y pnpm@12 bench [NAME … | all] [--seconds 10] [--pairs 3] [--again] [--record]

Benchmarks Cellarman against baselines. Without a name it lists the benchmarks.

  --seconds N  duration of each measurement
  --pairs N    number of measurements of each pair
  --again      with all: repeat benchmarks that already have a result for this commit
  --record     write the results into docs/performance.md`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    seconds: { type: 'string', default: '10' },
    pairs: { type: 'string', default: '3' },
    again: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
const options = { seconds: Number(values.seconds), pairs: Number(values.pairs) };
const isAll = positionals.includes('all');
const names = isAll ? Object.keys(BENCHES) : positionals;
const unknown = names.filter((name) => !(name in BENCHES));

if (values.help) console.log(HELP);
else if (unknown.length > 0 || !(options.seconds >= 1) || !(options.pairs >= 1)) {
  console.error(
    unknown.length > 0
      ? `There is no bench ${unknown.join(', ')}.`
      : 'Give at least one second and one pair.',
  );
  process.exitCode = 1;
} else if (names.length === 0 && !values.record) {
  console.log('npx -y pnpm@12 bench NAME … | all [--seconds 10] [--pairs 3] [--again] [--record]\n');
  for (const [name, { what }] of Object.entries(BENCHES)) console.log(`  ${name.padEnd(18)} ${what}`);
} else {
  const failed: string[] = [];
  for (const name of names) {
    const isOk = names.length === 1 ? await runHere(name) : await runInItsOwnProcess(name);
    if (!isOk) failed.push(name);
  }
  if (values.record) await record(Object.keys(BENCHES));
  if (failed.length > 0) {
    console.error(`Failed: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}

/** So that no bench finds the heap of the one before it. */
async function runInItsOwnProcess(name: string): Promise<boolean> {
  const last = await lastResult(name);
  const commit = await currentCommit();
  // Behind a + the files may have changed again.
  if (isAll && !values.again && last?.commit === commit && !commit.endsWith('+')) {
    console.log(`${name}: measured at ${commit} already, --again repeats it`);
    return true;
  }
  const args = [import.meta.filename, name, '--seconds', values.seconds, '--pairs', values.pairs];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

async function runHere(name: string): Promise<boolean> {
  const bench = BENCHES[name];
  if (bench === undefined) return false;
  const machine = describeMachine();
  const loadBefore = currentLoad();
  const begun = performance.now();
  console.log(`${name}: ${bench.what}`);
  try {
    const result = await bench.run(options);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    const commit = await currentCommit();
    const date = new Date().toISOString();
    await storeResult({ name, date, commit, options, machine, loadBefore, seconds, ...result });
    for (const { rows } of result.tables) console.table(rows);
    console.log(`${name}: took ${seconds} s at ${commit}, load before ${loadBefore}\n`);
    return true;
  } catch (error) {
    console.error(`${name} failed:`, error);
    return false;
  }
}
