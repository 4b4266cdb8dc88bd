import { chmod, cp, mkdtemp, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findPostgres, postgresEngine } from '../src/engines/postgres.ts';
import type { PostgresPrograms } from '../src/engines/postgres.ts';
import { freePorts } from '../src/ports.ts';

// Each starts several engines, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** PostgreSQL rejects root. A clone that root made may lie where only root may enter, or where all may. */
describe.runIf(process.getuid?.() === 0)('PostgreSQL started by root', () => {
  let directory: string;
  let programs: PostgresPrograms;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cellarman-postgres-'));
    // A copy, because this checkout itself may lie where only root may enter.
    const native = dirname(dirname((await findPostgres()).postgres));
    await cp(native, join(directory, 'native'), { recursive: true, verbatimSymlinks: true });
    const bin = join(directory, 'native', 'bin');
    programs = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  /** Starts it twice, as a first start and a later one do, and looks at the process of the later one. */
  async function startTwice(name: string, look: (pid: number) => Promise<void>): Promise<void> {
    const { engines } = await freePorts({ ingestReplicas: 0 });
    const engine = postgresEngine({
      programs,
      dataDir: join(directory, name),
      logFile: join(directory, `${name}.log`),
      port: engines.postgres,
      password: 'a-password-of-the-tests',
      env: process.env,
    });
    const first = await engine.start();
    await first.ready();
    await first.stop();
    const second = await engine.start();
    try {
      await second.ready();
      const client = new Client({ connectionString: engine.url });
      await client.connect();
      await client.query('CREATE TABLE written (value integer)');
      await client.end();
      await look(second.pid);
    } finally {
      await second.stop();
    }
  }

  test('runs in a directory that only root may enter, under another number for root', async () => {
    await chmod(directory, 0o700);
    await startTwice('closed', async (pid) => {
      expect((await stat(`/proc/${pid}`)).uid).toBe(0);
      expect(await readlink(`/proc/${pid}/ns/user`)).not.toBe(await readlink('/proc/self/ns/user'));
    });
  });

  test('runs as an ordinary user where that one can reach it', async () => {
    await chmod(directory, 0o755);
    await startTwice('open', async (pid) => {
      expect((await stat(`/proc/${pid}`)).uid).not.toBe(0);
      expect((await stat(join(directory, 'open', 'cluster'))).uid).toBe((await stat(`/proc/${pid}`)).uid);
    });
  });
});
