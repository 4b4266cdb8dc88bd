#!/usr/bin/env node
import { once } from 'node:events';
import { runCommandLine } from './command-line.ts';
import { readSettings } from './config.ts';
import type { Context } from './context.ts';
import { EXIT } from './failure.ts';

const { stdout, stderr } = process;
const interruption = new AbortController();

// The first Ctrl-C ends the command in order, a second one ends the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

/** They change nothing, so when `head` has seen enough there is nothing left to do. */
const ONLY_READS = /^(tail|latest|(cellars|keys|claim-codes|dead-letters) list)\b/.test(
  process.argv.slice(2, 4).join(' '),
);
let hasReader = true;

stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (ONLY_READS) process.exit(EXIT.done);
  // The others finish what they do: a file is sent to its end.
  if (hasReader) stderr.write('cellarman: the output was closed; the rest of it is discarded\n');
  hasReader = false;
  process.exitCode ||= EXIT.rejected;
});

const context: Context = {
  settings: readSettings(),
  print: async (line) => {
    if (!hasReader || stdout.write(`${line}\n`)) return;
    // The error listener above handles a failure.
    await once(stdout, 'drain').catch(() => undefined);
  },
  tell: (line) => void stderr.write(`${line}\n`),
  terminal: stderr,
  interrupted: interruption.signal,
  exitCode: EXIT.done,
};

process.exitCode = (await runCommandLine(process.argv.slice(2), context)) || process.exitCode;
