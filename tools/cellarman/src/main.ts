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

// `cellarman tail … | head`: who reads has seen enough.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.done);
});

const context: Context = {
  settings: readSettings(),
  print: async (line) => {
    if (!stdout.write(`${line}\n`)) await once(stdout, 'drain');
  },
  tell: (line) => void stderr.write(`${line}\n`),
  terminal: stderr,
  interrupted: interruption.signal,
  exitCode: EXIT.done,
};

process.exitCode = await runCommandLine(process.argv.slice(2), context);
