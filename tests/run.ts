/* eslint-disable no-console -- the result goes to the terminal */
/**
 * Runs the tests and ends with one plain line, `N passed, N failed`. A static check counts as one test.
 *
 * - `npx -y pnpm@12 test`: the static checks, then all tests but the deep ones.
 * - `npx -y pnpm@12 test PATH …`: the tests below these paths, and their types, lint and format.
 * - `npx -y pnpm@12 test:deep [PATH …]`: fault injection, kills, three brokers, fuzzing (`*.deep.test.ts`).
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { delimiter, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
/** A test whose process spins cannot be ended by its own timeout. */
const DEADLINE_MINUTES = 45;

/** Vitest runs that go on beside each other, by their projects. */
const RUNS = [['unit', 'integration'], ['product']];
const DEEP_RUNS = [['deep'], ['deep-product']];

/** Scripts of package.json. They run one after the other beside the tests, with a lower priority. */
const CHECKS = [
  'check:types-and-lint',
  'check:format',
  'check:prose',
  'check:dependencies',
  'check:dead-code',
];
/** The checks that end with the path that they look at. */
const CHECKS_OF_PATHS = ['check:types-and-lint', 'check:format'];

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

async function runChecks(paths: readonly string[]): Promise<Counts> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const name of paths.length === 0 ? CHECKS : CHECKS_OF_PATHS) await runCheck(name);
  return counts;

  async function runCheck(name: string): Promise<void> {
    const begun = performance.now();
    const script = scripts[name] ?? '';
    const command = paths.length > 0 ? script.replace(/ \.$/, ` ${paths.map(quote).join(' ')}`) : script;
    const { exitCode, output } = await run(`nice -n 10 sh -c ${quote(command)}`, 'collect');
    const took = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
    if (exitCode === 0) {
      counts.passed += 1;
      console.log(`✓ ${name} (${took})`);
    } else {
      counts.failed += 1;
      console.log(`✗ ${name} (${took})`);
      failures.push(`✗ ${name}\n${output}`);
    }
  }
}

async function runTests(projects: readonly string[], paths: readonly string[]): Promise<Counts> {
  const results = join(root, '.local', `test-results-${projects.join('-')}.json`);
  await rm(results, { force: true });
  const reporters = ['default', 'json', './tests/unfinished-files.ts'].map((name) => `--reporter=${name}`);
  const selected = projects.map((name) => `--project=${name}`);
  const args = [...selected, ...reporters, `--outputFile.json=${results}`, ...paths];
  const { exitCode } = await run(`vitest run ${args.map(quote).join(' ')}`, 'show');
  const counts = await readResults(results);
  // A run that breaks outside of any test, or that finds none, has failed.
  if (exitCode !== 0 && counts.failed === 0) counts.failed += 1;
  return counts;
}

function add(one: Counts, other: Counts): Counts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

function quote(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

async function readResults(results: string): Promise<Counts> {
  try {
    const report = JSON.parse(await readFile(results, 'utf8')) as {
      numPassedTests: number;
      numFailedTests: number;
      numPendingTests: number;
      testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
    };
    for (const { name, assertionResults } of report.testResults) {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      failures.push(...failed.map(({ fullName }) => `✗ ${relative(root, name)}: ${fullName}`));
    }
    return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests };
  } catch {
    console.log('✗ the tests left no report');
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

/** Runs a command line as a script of package.json. */
function run(command: string, output: 'collect' | 'show'): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      cwd: root,
      shell: true,
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      },
      // A process group of its own, so that everything that it started can be ended with it.
      detached: true,
      stdio: [
        'ignore',
        ...(output === 'show' ? (['inherit', 'inherit'] as const) : (['pipe', 'pipe'] as const)),
      ],
    });
    const end = (signal: NodeJS.Signals): void => {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    };
    const interrupt = (): void => end('SIGINT');
    const deadline = setTimeout(() => {
      console.log(`✗ ${command} did not end within ${DEADLINE_MINUTES} minutes`);
      end('SIGKILL');
    }, DEADLINE_MINUTES * 60_000);
    process.on('SIGINT', interrupt);
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', reject);
    child.on('close', (exitCode) => {
      clearTimeout(deadline);
      process.off('SIGINT', interrupt);
      resolve({ exitCode: exitCode ?? 1, output: text });
    });
  });
}

const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    deep: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) {
  console.log(`Usage: npx -y pnpm@12 test [PATH …]
       npx -y pnpm@12 test:deep [PATH …]

test runs the static checks and the tests on real engines. With paths, such as libs/kafka, it runs
only their checks and tests. test:deep runs the tests that kill processes and brokers, cut
connections and fuzz the API. Both end with "N passed, N failed". Exit code 1: something failed.`);
  process.exit(0);
}

await mkdir(join(root, '.local'), { recursive: true });
/** Printed at the end: the runs write at the same time. */
const failures: string[] = [];
const none = { passed: 0, failed: 0, skipped: 0 };
const runsOfAll = values.deep ? DEEP_RUNS : RUNS;
const [checks, ...runs] = await Promise.all([
  values.deep ? none : runChecks(paths),
  ...(paths.length > 0 ? [runsOfAll.flat()] : runsOfAll).map((projects) => runTests(projects, paths)),
]);
for (const failure of failures) console.log(failure);
const tests = runs.reduce(add);
const { passed, failed, skipped } = add(checks, tests);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
