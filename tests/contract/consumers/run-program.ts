import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Program } from './programs.ts';

export interface Running {
  /** Its standard error so far. */
  errors(): string;
  /** Throws what it wrote if it has ended. */
  expectRunning(): void;
  /** Resolves with its exit code, null after a signal. */
  readonly ended: Promise<number | null>;
  stop(signal: NodeJS.Signals): Promise<void>;
}

export function runProgram({ command: [program, ...first] }: Program, args: readonly string[]): Running {
  const child = spawn(program, [...first, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    errors: () => errors,
    expectRunning: () => {
      if (hasEnded())
        throw new Error(`it ended with ${child.exitCode ?? child.signalCode}: ${errors.slice(-2_000)}`);
    },
    ended,
    stop: async (signal) => {
      if (!hasEnded()) child.kill(signal);
      await ended;
    },
  };
}
