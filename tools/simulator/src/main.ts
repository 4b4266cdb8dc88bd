import { readOptions, USAGE, UsageError } from './config.ts';
import { showProgress, summaryText } from './progress.ts';
import { simulate } from './simulate.ts';
import { createTally } from './tally.ts';

const UNDELIVERED = 1;
const WRONG_USE = 2;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  if (process.argv.includes('--help') || process.argv.includes('-h')) say(USAGE);
  else await run();
} catch (error) {
  process.exitCode = error instanceof UsageError ? WRONG_USE : UNDELIVERED;
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(error instanceof UsageError ? `${text}\n\n${USAGE}\n` : `${text}\n`);
}

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const interrupted = new AbortController();
  // The first Ctrl-C ends the run in order, a second one ends the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const tally = createTally();
  const progress = showProgress(() => tally.figures(), process.stderr);
  try {
    await simulate(options, interrupted.signal, tally);
  } finally {
    progress.stop();
  }
  const figures = tally.figures();
  say(options.json ? JSON.stringify(figures) : summaryText(figures));
  if (figures.accepted < figures.sent) process.exitCode = UNDELIVERED;
}
