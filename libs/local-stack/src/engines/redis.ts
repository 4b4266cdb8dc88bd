import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Redis } from 'ioredis';
import type { Engine } from './engine.ts';
import { HOST } from '../ports.ts';
import { spawnProcess } from '../supervise/spawn-process.ts';
import { StartError } from '../start-error.ts';

export interface RedisOptions {
  server: string;
  dataDir: string;
  logFile: string;
  port: number;
  env: NodeJS.ProcessEnv;
}

/** Redis or Valkey with an append-only file, so that kill -9 loses nothing that it acknowledged. */
export function redisEngine({ server, dataDir, logFile, port, env }: RedisOptions): Engine {
  const url = `redis://${HOST}:${port}`;
  return {
    name: 'redis',
    kind: 'redis',
    url,
    start: async () => {
      await mkdir(dataDir, { recursive: true });
      return spawnProcess({
        name: 'redis',
        command: server,
        args: ['--bind', HOST, '--port', String(port), '--dir', dataDir, '--appendonly', 'yes', '--save', ''],
        cwd: dataDir,
        env,
        logFile,
        answers: () => redisAnswers(url),
      });
    },
  };
}

/** True when it has loaded its data: until then PING is answered with an error. */
async function redisAnswers(url: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return true;
  } finally {
    client.disconnect();
  }
}

/**
 * `redis-server` or `valkey-server` from the PATH, otherwise the binary that came by Maven.
 *
 * @throws {StartError} when there is none for this machine
 */
export async function findRedisServer(env: NodeJS.ProcessEnv, redisDir: string): Promise<string> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const program of ['redis-server', 'valkey-server']) {
    const folder = folders.find((candidate) => existsSync(join(candidate, program)));
    if (folder !== undefined) return join(folder, program);
  }
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const platform = `${process.platform}-${architecture}`;
  const bundled = (await readdir(redisDir)).find((file) => file.endsWith(platform));
  if (bundled === undefined) {
    throw new StartError(`There is no bundled Redis for ${platform}: install redis-server or valkey-server.`);
  }
  return join(redisDir, bundled);
}
