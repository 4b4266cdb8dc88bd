import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Engine } from './engine.ts';
import { HOST } from '../ports.ts';
import { spawnProcess } from '../supervise/spawn-process.ts';

const SERVER = fileURLToPath(new URL('../clickhouse-server/main.ts', import.meta.url));

export interface ClickhouseOptions {
  dataDir: string;
  logFile: string;
  port: number;
  env: NodeJS.ProcessEnv;
}

/** The ClickHouse engine in a process of its own, behind ClickHouse's HTTP interface. */
export function clickhouseEngine({ dataDir, logFile, port, env }: ClickhouseOptions): Engine {
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
        env,
        logFile,
        answers: async () => (await fetch(`${url}/ping`, { signal: AbortSignal.timeout(2_000) })).ok,
      });
    },
  };
}
