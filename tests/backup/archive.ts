import { access, appendFile, chmod, chown, cp, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProduct } from '@cellarman/local-stack';
import type { Product } from '@cellarman/local-stack';
import { Client } from 'pg';
import { signIn, statusOf } from './operator.ts';
import type { Rehearsal } from './rehearsal.ts';
import { run, until } from './run.ts';
import { expectEqual } from './say.ts';

/**
 * PostgreSQL from a base backup and the archived WAL, while ingest goes on: nothing is lost, and what was revoked stays revoked.
 */
export async function rehearseArchive(options: Rehearsal): Promise<Product> {
  const { dataDir, ports, programs, fleet, say } = options;
  const cluster = join(dataDir, 'postgres', 'cluster');
  const archive = join(dataDir, 'postgres', 'archive');
  const base = join(dataDir, 'base');
  const owner = await stat(cluster);

  await mkdir(archive);
  await chown(archive, owner.uid, owner.gid);
  await ask(options.product.run().databaseUrl, [
    `ALTER SYSTEM SET archive_mode = 'on'`,
    `ALTER SYSTEM SET archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`,
    `ALTER SYSTEM SET archive_timeout = '60s'`,
  ]);
  await options.product.stop();
  const product = await startProduct({ dataDir, ports });
  const now = product.run();
  const operator = await signIn(now);
  const [kept, revoked] = await Promise.all(
    ['in the base', 'revoked later'].map((name) => operator.createKey(name)),
  );
  if (kept === undefined || revoked === undefined) throw new Error('no keys');
  await run(`${programs}pg_basebackup`, [
    ...['--dbname', now.databaseUrl, '--pgdata', base, '--checkpoint=fast', '--wal-method=none', '--no-sync'],
  ]);
  say('the WAL is archived; base backup: pg_basebackup');

  const madeAfter = await operator.createKey('made later');
  await operator.revoke(revoked);
  // What is not archived yet is lost with the disk: at most archive_timeout, here nothing.
  const [segment] = await ask(now.databaseUrl, ['SELECT pg_walfile_name(pg_switch_wal()) AS name']);
  await until('the WAL is archived', () => access(join(archive, String(segment?.['name']))).then(() => true));
  const epoch = await epochOf(now.databaseUrl);
  say('one key created and another revoked after it, and their WAL archived');

  const start = await product.takeDown('postgres', 0);
  await rm(cluster, { recursive: true });
  say('PostgreSQL loses all its files; ingest keeps running');
  await fleet.send(1_000);
  say('1000 readings with a cached key acknowledged meanwhile');

  await cp(base, cluster, { recursive: true });
  await appendFile(join(cluster, 'postgresql.auto.conf'), `restore_command = 'cp ${archive}/%f %p'\n`);
  await writeFile(join(cluster, 'recovery.signal'), '');
  await run('chown', ['-R', `${owner.uid}:${owner.gid}`, cluster]);
  await chmod(cluster, 0o700);
  start();
  await until('PostgreSQL takes changes again', async () => {
    const [row] = await ask(now.databaseUrl, ['SELECT pg_is_in_recovery() AS it']);
    return row?.['it'] === false;
  });
  say('restored: base backup, recovery.signal, the archived WAL; PostgreSQL started a new timeline');

  await until('the key made after the base is known', async () => (await statusOf(now, madeAfter)) === 400);
  expectEqual('the key of the base', await statusOf(now, kept), 400);
  expectEqual('the key that was revoked after the base', await statusOf(now, revoked), 401);
  if ((await epochOf(now.databaseUrl)) === epoch) throw new Error('the history has not changed its name');
  expectEqual('the session of before', await operator.session(), 401);
  say('no key lost, the revoked key is rejected; sessions have ended, because the history has another ID');
  say(await fleet.verify());
  return product;
}

async function epochOf(databaseUrl: string): Promise<string> {
  const [row] = await ask(databaseUrl, ['SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline']);
  return String(row?.['timeline']);
}

/** Runs the statements one after the other. Returns the rows of the last. */
async function ask(databaseUrl: string, statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
