import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unpackPrometheus } from './unpack-prometheus.ts';

const run = promisify(execFile);

/** The programs of one Prometheus: the server, and the one that tests rules. */
export interface Prometheus {
  server: string;
  promtool: string;
}

export interface FoundPrometheus {
  prometheus?: Prometheus;
  /** Why there is none. */
  reason: string;
}

/** The Prometheus of this machine, otherwise Debian's, unpacked beside the other tools. */
export async function findPrometheus(): Promise<FoundPrometheus> {
  const problems: string[] = [];
  for (const directory of [() => Promise.resolve(''), unpackPrometheus]) {
    try {
      const found = await directory();
      const prometheus = { server: join(found, 'prometheus'), promtool: join(found, 'promtool') };
      await run(prometheus.server, ['--version']);
      await run(prometheus.promtool, ['--version']);
      return { prometheus, reason: '' };
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { reason: `there is no Prometheus: ${problems.join('; ')}` };
}
