import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Engine } from './engine.ts';
import { HOST } from '../ports.ts';
import { runCommand } from '../run-command.ts';
import { spawnProcess } from '../supervise/spawn-process.ts';
import { StartError } from '../start-error.ts';

export interface RedisOptions {
  server: string;
  dataDir: string;
  logFile: string;
  port: number;
  password: string;
  env: NodeJS.ProcessEnv;
}

/** Redis or Valkey with an append-only file, so that kill -9 loses nothing that it acknowledged. */
export function redisEngine({ server, dataDir, logFile, port, password, env }: RedisOptions): Engine {
  const url = `redis://:${password}@${HOST}:${port}`;
  const settings = join(dataDir, 'redis.conf');
  return {
    name: 'redis',
    kind: 'redis',
    url,
    start: async () => {
      await mkdir(dataDir, { recursive: true });
      // Not as an argument: every user of this machine can list those.
      await writeFile(settings, `requirepass ${password}\n`, { mode: 0o600 });
      return spawnProcess({
        name: 'redis',
        command: server,
        args: [
          settings,
          ...['--bind', HOST, '--port', String(port), '--dir', dataDir],
          ...['--appendonly', 'yes', '--save', ''],
        ],
        cwd: dataDir,
        env,
        logFile,
        answers: () => redisResponds(url),
      });
    },
  };
}

/** True once Redis has loaded its data: until then PING returns an error. */
async function redisResponds(url: string): Promise<boolean> {
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
 * `redis-server` or `valkey-server` from the PATH if it is new enough, otherwise the binary that came by Maven.
 *
 * @throws {StartError} when there is none for this machine
 */
export async function findRedisServer(env: NodeJS.ProcessEnv, redisDir: string): Promise<string> {
  for (const program of ['redis-server', 'valkey-server']) {
    const { exitCode, output } = await runCommand(program, ['--version'], { env });
    if (exitCode === 0 && isNewEnough(output)) return program;
  }
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const platform = `${process.platform}-${architecture}`;
  const bundled = (await readdir(redisDir)).find((file) => file.endsWith(platform));
  if (bundled === undefined) {
    throw new StartError(`There is no bundled Redis for ${platform}: install redis-server or valkey-server.`);
  }
  return join(redisDir, bundled);
}

/** The services use commands of 6.2: `Redis server v=6.2.11 …`, `Valkey server v=8.0.1 …`. */
export function isNewEnough(output: string): boolean {
  const [, major, minor] = /v=(\d+)\.(\d+)/.exec(output) ?? [];
  return Number(major) > 6 || (Number(major) === 6 && Number(minor) >= 2);
}
