import { stat } from 'node:fs/promises';
import { stopLeftovers } from './process-record.ts';
import { clearScratchDirectory } from './scratch-directory.ts';

/** See watchdog.ts. What is not there any more was stopped in order. */
async function clear(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) await clearScratchDirectory(path);
  else await stopLeftovers(path);
}

process.stdin.on('end', () => void clear(process.argv[2] ?? '')).resume();
