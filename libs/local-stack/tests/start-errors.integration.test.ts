import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startProduct } from '../src/index.ts';
import { freePorts } from '../src/ports.ts';
import { runToEnd } from './command.ts';

// Each starts several engines, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const isRoot = process.getuid?.() === 0;

describe('a start that cannot succeed says in one line what to do', () => {
  let directory: string;
  let dataDir: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cellarman-rejections-'));
    dataDir = join(directory, 'data');
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  /** A PATH on which only these programs are found. */
  async function onlyPrograms(...names: string[]): Promise<string> {
    const bin = join(directory, 'bin');
    await mkdir(bin);
    const folders = (process.env['PATH'] ?? '').split(delimiter);
    for (const name of names) {
      const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
      if (found === undefined) expect.fail(`These tests need ${name}`);
      await symlink(found, join(bin, name));
    }
    return bin;
  }

  async function rejection(env: NodeJS.ProcessEnv): Promise<string> {
    const { exitCode, stderr } = await runToEnd('engines.ts', ['--data-dir', dataDir], env);
    expect(exitCode).toBe(1);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    return stderr;
  }

  test('Java is missing', async () => {
    expect(await rejection({ JAVA_HOME: join(directory, 'no-java') })).toMatch(
      /^Java cannot be run \(.*no-java.*\)\. Kafka needs Java 17 or newer: install a JRE/,
    );
  });

  test('Maven is missing and nothing has been fetched', async () => {
    const PATH = await onlyPrograms('java');
    expect(await rejection({ PATH, JAVA_HOME: '', XDG_CACHE_HOME: join(directory, 'empty') })).toMatch(
      /^Maven \(mvn\) is missing\. Install it/,
    );
  });

  test.runIf(isRoot)('root can give PostgreSQL neither another user nor a user namespace', async () => {
    // `directory` is open to its owner alone, and `unshare` is not on the PATH.
    const PATH = await onlyPrograms('java', 'id', 'sh');
    expect(await rejection({ PATH, JAVA_HOME: '' })).toMatch(
      /^PostgreSQL does not run as root, and no other user can reach .* Start Cellarman as an ordinary user, or/,
    );
  });

  test('the data directory cannot be written to', async () => {
    await writeFile(dataDir, 'a file');
    expect(await rejection({})).toMatch(
      /^Nothing can be written to \/.*\/data \(EEXIST\): .* --data-dir\.\n$/,
    );
  });

  test('a port is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const taken = (holder.address() as AddressInfo).port;
    const ports = await freePorts();
    ports.engines.redis = taken;

    const start = startProduct({ dataDir, ports });

    await expect(start).rejects.toThrow(
      new RegExp(`^Port ${taken}, for redis, is taken, .*(lsof -i names it).* --port-offset 1000$`),
    );
    // Nothing was started, so no engine has data.
    expect(await readdir(dataDir)).toEqual(['kafka-cluster.json', 'logs', 'secrets.json']);
    holder.close();
  });

  test('an argument is wrong', async () => {
    const { exitCode, stderr } = await runToEnd('start.ts', ['--ingest-replicas', 'many'], {});
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^Usage: npx -y pnpm@12 start \[--ingest-replicas N\]/);
  });
});
