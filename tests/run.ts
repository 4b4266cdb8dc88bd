/* eslint-disable no-console -- the result goes to the terminal */
/**
 * The test command: the static checks, then all tests on real engines, and one plain line at the end.
 *
 * A check counts as one test. `node tests/run.ts libs/kafka` limits the tests, not the checks, to a folder.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const results = join(root, '.local', 'test-results.json');
/** A run takes a quarter of an hour. A test whose process spins cannot be ended by its own time-out. */
const DEADLINE_MINUTES = 45;

/** Each takes one core. The longest comes first, so that the others run beside it. */
const CHECKS_AT_A_TIME = 2;
const CHECKS = [
  { name: 'lint', command: ['eslint', '--max-warnings', '0', '.'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'types of the dashboard', command: ['tsc', '-p', 'services/dashboard/src/tsconfig.json'] },
  { name: 'prose', command: ['eslint', '--config', 'tests/prose/eslint.config.js', '.'] },
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  { name: 'dead code', command: ['knip'] },
  {
    name: 'dependency rules',
    command: [
      'depcruise',
      '--config',
      '.dependency-cruiser.cjs',
      'services',
      'libs',
      'tools',
      'tests',
      'bench',
    ],
  },
];

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

async function runChecks(): Promise<Counts> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const waiting = [...CHECKS];
  await Promise.all(Array.from({ length: CHECKS_AT_A_TIME }, runWaiting));
  return counts;

  async function runWaiting(): Promise<void> {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) await runCheck(check);
  }

  async function runCheck({ name, command }: (typeof CHECKS)[number]): Promise<void> {
    const begun = performance.now();
    const { exitCode, output } = await run(command, 'collect');
    const took = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
    if (exitCode === 0) {
      counts.passed += 1;
      console.log(`✓ ${name} (${took})`);
    } else {
      counts.failed += 1;
      console.log(`✗ ${name} (${took})\n${output}`);
    }
  }
}

async function runTests(filters: readonly string[]): Promise<Counts> {
  await rm(results, { force: true });
  const reporters = ['default', 'json', './tests/unfinished-files.ts'].map((name) => `--reporter=${name}`);
  const command = ['vitest', 'run', ...reporters, `--outputFile.json=${results}`, ...filters];
  const { exitCode } = await run(command, 'show');
  const counts = await readResults();
  // A run that breaks outside of any test, or that finds none, has failed.
  if ((exitCode !== 0 && counts.failed === 0) || counts.passed + counts.failed === 0) counts.failed += 1;
  return counts;
}

async function readResults(): Promise<Counts> {
  try {
    const report = JSON.parse(await readFile(results, 'utf8')) as {
      numPassedTests: number;
      numFailedTests: number;
      numPendingTests: number;
    };
    return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests };
  } catch {
    console.log('✗ the tests left no report');
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

function run(
  command: readonly string[],
  output: 'collect' | 'show',
): Promise<{ exitCode: number; output: string }> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(join(root, 'node_modules', '.bin', program), args, {
      cwd: root,
      // A group of its own, so that everything that it started can be ended with it.
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
      console.log(`✗ ${program} did not end within ${DEADLINE_MINUTES} minutes`);
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

if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
  console.log(`Usage: npx -y pnpm@12 test [PATH …]

Runs the static checks, then all tests on real engines, and ends with "N passed, N failed".
With paths, such as libs/kafka, only the tests below these run. Exit code 1: something failed.`);
  process.exit(0);
}

await mkdir(join(root, '.local'), { recursive: true });
const checks = await runChecks();
const tests = await runTests(process.argv.slice(2));
const passed = checks.passed + tests.passed;
const failed = checks.failed + tests.failed;
console.log(`\n${passed} passed, ${failed} failed${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
