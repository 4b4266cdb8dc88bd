import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Engine } from './engine.ts';
import { HOST } from '../ports.ts';
import { spawnProcess } from '../supervise/spawn-process.ts';

const SERVER = fileURLToPath(new URL('../clickhouse-server/main.ts', import.meta.url));

/** The only user, who may do everything. */
export const CLICKHOUSE_USER = 'default';

export interface ClickhouseOptions {
  dataDir: string;
  logFile: string;
  port: number;
  password: string;
  env: NodeJS.ProcessEnv;
}

/** The ClickHouse engine in a process of its own, behind ClickHouse's HTTP interface. */
export function clickhouseEngine({ dataDir, logFile, port, password, env }: ClickhouseOptions): Engine {
  const url = `http://${HOST}:${port}`;
  return {
    name: 'clickhouse',
    kind: 'clickhouse',
    url,
    start: async () => {
      await mkdir(dataDir, { recursive: true });
      return spawnProcess({
        name: 'clickhouse',
        command: process.execPath,
        args: [SERVER, '--data-dir', dataDir, '--port', String(port)],
        cwd: dataDir,
        // Not as an argument: every user of this machine can list those.
        env: { ...env, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD: password },
        logFile,
        answers: async () => (await fetch(`${url}/ping`, { signal: AbortSignal.timeout(2_000) })).ok,
      });
    },
  };
}
