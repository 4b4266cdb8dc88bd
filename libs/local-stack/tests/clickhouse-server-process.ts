import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client';

/** The ClickHouse process of the local stack, started by its command line like any user would. */
export interface ClickHouseProcess {
  url: string;
  username: string;
  password: string;
  dataDirectory: string;
  /** The unmodified client; closed with the process. */
  /** With the credentials, the path beginning with `/`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  client(options?: ClickHouseClientConfigOptions): ClickHouseClient;
  /** Sends the signal and resolves to the exit code, or the name of the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string | null>;
  /** Highest resident memory so far. Linux only. */
  peakMemoryBytes(): Promise<number>;
}

const USERNAME = 'default';

const mainFile = join(import.meta.dirname, '../src/clickhouse-server/main.ts');

export async function startClickHouse(
  // Without a port it takes a free one.
  options: { dataDirectory?: string; port?: number; password?: string } = {},
): Promise<ClickHouseProcess> {
  const { port = 0, password = 'se:cret' } = options;
  const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'cellarman-clickhouse-')));
  const child = spawn(process.execPath, [mainFile, '--data-dir', dataDirectory, '--port', String(port)], {
    env: { ...process.env, CLICKHOUSE_USER: USERNAME, CLICKHOUSE_PASSWORD: password },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await listeningUrl(child);
  const clients: ClickHouseClient[] = [];
  return {
    url,
    username: USERNAME,
    password,
    dataDirectory,
    fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set('x-clickhouse-user', USERNAME);
      headers.set('x-clickhouse-key', password);
      return fetch(url + path, { ...init, headers });
    },
    client(clientOptions = {}) {
      const client = createClient({
        ...{ url, username: USERNAME, password, log: { level: ClickHouseLogLevel.OFF } },
        ...clientOptions,
      });
      clients.push(client);
      return client;
    },
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit');
        child.kill(signal);
        await exit;
      }
      await Promise.all(clients.map((client) => client.close()));
      return child.exitCode ?? child.signalCode;
    },
    async peakMemoryBytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
    },
  };
}

/** For the end of a test file: stops the process and removes its data. */
export async function removeClickHouse(server: ClickHouseProcess): Promise<void> {
  await server.end('SIGTERM');
  await rm(server.dataDirectory, { recursive: true, force: true });
}

async function listeningUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null || child.stderr === null) throw new Error('The process has no pipes');
  let complaints = '';
  child.stderr.on('data', (text: Buffer) => (complaints += text.toString()));
  for await (const line of createInterface(child.stdout)) {
    const url = / listens on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error(`The ClickHouse process ended: ${complaints}`);
}
