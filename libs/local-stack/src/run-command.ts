import { execFile } from 'node:child_process';
import type { ExecFileOptions } from 'node:child_process';

export interface CommandResult {
  /** Null when it could not be started: `problem` then says why (`ENOENT`). */
  exitCode: number | null;
  problem?: string;
  /** Standard output and error together. */
  output: string;
}

export interface CommandOptions extends ExecFileOptions {
  /** What the program reads from its standard input. @default nothing */
  input?: string;
}

/** Runs a program to its end. Never rejects. */
export function runCommand(
  command: string,
  args: readonly string[],
  { input = '', ...options }: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      if (error === null) resolve({ exitCode: 0, output });
      else if (typeof error.code === 'number') resolve({ exitCode: error.code, output });
      else resolve({ exitCode: null, problem: error.code ?? error.message, output });
    });
    // A program that ends before it has read all of it says why by its exit code.
    child.stdin?.on('error', () => undefined).end(input);
  });
}
