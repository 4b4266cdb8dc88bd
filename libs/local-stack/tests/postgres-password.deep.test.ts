import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPostgres, postgresEngine } from '../src/engines/postgres.ts';
import { freePorts } from '../src/ports.ts';

let dataDir: string;
let port: number;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cellarman-postgres-password-'));
  port = (await freePorts({ ingestReplicas: 0 })).engines.postgres;
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Starts PostgreSQL with a password, runs one statement with each of these, and says which were let in. */
async function whoGetsIn(
  password: string,
  passwords: readonly string[],
  statement = 'SELECT 1',
): Promise<boolean[]> {
  const engine = postgresEngine({
    ...{ programs: await findPostgres(), dataDir, port, password, env: process.env },
    logFile: join(dataDir, 'postgres.log'),
  });
  const server = await engine.start();
  try {
    await server.ready();
    const answers: boolean[] = [];
    for (const tried of passwords) {
      const url = new URL(engine.url);
      url.password = tried;
      const client = new Client({ connectionString: url.href });
      answers.push(
        await client.connect().then(
          () => client.query(statement).then(() => true),
          () => false,
        ),
      );
      await client.end();
    }
    return answers;
  } finally {
    await server.stop();
  }
}

test('PostgreSQL lets nobody in without the password', async () => {
  expect(await whoGetsIn('right', ['right', 'wrong', ''])).toEqual([true, false, false]);
});

test('data of a version without a password is kept and requires one', async () => {
  await whoGetsIn('any', ['any'], "CREATE TABLE kept AS SELECT 'committed' AS value");
  await whoGetsIn('any', ['any'], 'ALTER ROLE postgres PASSWORD NULL');
  const file = join(dataDir, 'cluster', 'pg_hba.conf');
  await writeFile(file, 'host all all 127.0.0.1/32 trust\n');

  expect(await whoGetsIn('right', ['right', 'wrong', ''], 'SELECT value FROM kept')).toEqual([
    true,
    false,
    false,
  ]);
  expect(await readFile(file, 'utf8')).not.toContain('trust');
});

test('data of another password, as when secrets.json was deleted, takes the new one', async () => {
  await whoGetsIn('former', ['former']);
  expect(await whoGetsIn('right', ['right', 'former'])).toEqual([true, false]);
});
