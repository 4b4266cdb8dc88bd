import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export const CHECKOUT = join(import.meta.dirname, '..', '..');

/**
 * Runs a program to its end and returns its output.
 *
 * @throws with the last lines of the output
 */
export async function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { stdout } = await execute(program, args, {
    cwd: CHECKOUT,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** Polls until the condition holds. */
export async function until(what: string, holds: () => Promise<boolean>, deadlineMs = 60_000): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`not within ${deadlineMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
