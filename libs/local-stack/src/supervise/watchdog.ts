import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('watchdog-main.ts', import.meta.url));

export interface Watchdog {
  /** Sends it away: all is stopped. */
  dismiss(): void;
}

/**
 * Starts a process that outlives this one, even `kill -9`, and then stops what the process record names. It notices
 * by the end of its input, which the operating system closes with us.
 *
 * @param path the record, or a scratch directory, which is removed as well
 */
export function startWatchdog(path: string): Watchdog {
  const child = spawn(process.execPath, [MAIN, path], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  return { dismiss: () => child.stdin.end() };
}
