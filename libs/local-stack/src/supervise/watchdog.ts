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
 */
export function startWatchdog(recordFile: string): Watchdog {
  const child = spawn(process.execPath, [MAIN, recordFile], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  return { dismiss: () => child.stdin.end() };
}
