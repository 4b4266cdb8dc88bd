import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@cellarman/local-stack';
import type { Bench } from '../bench.ts';
import { median, round } from '../median.ts';
import { withTemporaryDirectory } from '../harness/temporary-directory.ts';

const COMMAND = join(import.meta.dirname, '../../libs/local-stack/src/start.ts');
/** Beside the ports of a local stack that may be running. */
const PORT_OFFSET = 20_000;

export const start: Bench = {
  what: 'from the start command until everything runs, without data and with the data of before',
  run: async ({ pairs }) => {
    const cold: number[] = [];
    const warm: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      await withTemporaryDirectory(async (directory) => {
        cold.push(await secondsToStart(directory));
        warm.push(await secondsToStart(directory));
      });
    }
    const figures = { 'cold start s': round(median(cold)), 'warm start s': round(median(warm)) };
    return {
      tables: [
        {
          note: 'From the start command until `run.json` is there, all packages installed and all programs downloaded.',
          rows: [
            { start: 'cold, without data', seconds: figures['cold start s'] },
            { start: 'warm, with the data of before', seconds: figures['warm start s'] },
          ],
        },
      ],
      figures,
    };
  },
};

async function secondsToStart(dataDir: string): Promise<number> {
  const begun = performance.now();
  const args = [COMMAND, '--data-dir', dataDir, '--port-offset', String(PORT_OFFSET)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    const isRunning = () => access(join(dataDir, 'run.json')).then(() => true);
    await until('everything runs', isRunning, { everyMs: 20, retriesErrors: true });
    return (performance.now() - begun) / 1_000;
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}
