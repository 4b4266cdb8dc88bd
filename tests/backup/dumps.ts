import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEngines, startProduct } from '@cellarman/local-stack';
import type { Product } from '@cellarman/local-stack';
import {
  createProductDatabase,
  productDatabaseUrl,
} from '../../libs/local-stack/src/product/product-database.ts';
import { ask } from './clickhouse.ts';
import { kafkaTool } from './kafka-tools.ts';
import { signIn, statusOf } from './operator.ts';
import type { Rehearsal } from './rehearsal.ts';
import { run, until } from './run.ts';
import { expectEqual } from './say.ts';

const GROUP = 'cellarman-sink';
const READINGS = 5_000;

/**
 * Both databases from nightly backups: PostgreSQL by pg_dump, ClickHouse by BACKUP. What came after is brought back from the topic and
 * from the exported audit. Redis stays as it was, and knows more than PostgreSQL.
 */
export async function rehearseDumps(options: Rehearsal): Promise<Product> {
  const { product, dataDir, ports, programs, fleet, say } = options;
  const before = product.run();
  const operator = await signIn(before);
  const [kept, revokedBefore, revokedAfter] = await Promise.all(
    ['kept', 'revoked before', 'revoked after'].map((name) => operator.createKey(name)),
  );
  if (kept === undefined || revokedBefore === undefined || revokedAfter === undefined)
    throw new Error('no keys');
  await operator.revoke(revokedBefore.id);
  await fleet.send(READINGS);
  say(`${READINGS} readings are acknowledged, one key is revoked`);

  const dump = join(dataDir, 'cellarman.dump');
  const backedUpAt = new Date();
  await run(`${programs}pg_dump`, ['--format=custom', '--file', dump, before.databaseUrl]);
  await ask(before, `BACKUP DATABASE ${before.clickhouseDatabase} TO File('nightly')`);
  say('backup: pg_dump, BACKUP DATABASE');

  await fleet.send(READINGS);
  const madeAfter = await operator.createKey('made after');
  await operator.revoke(revokedAfter.id);
  const audit = await operator.auditCsv();
  say(`${READINGS} more readings, a key is made and another revoked; audit.csv is exported`);

  await product.stop();
  await rm(join(dataDir, 'postgres', 'cluster'), { recursive: true });
  await rm(join(dataDir, 'clickhouse'), { recursive: true });
  say('PostgreSQL and ClickHouse are gone with all their files');

  const engines = await startEngines({ dataDir, ports: ports.engines });
  try {
    const { urls } = engines;
    await createProductDatabase(urls.databaseUrl);
    const database = productDatabaseUrl(urls.databaseUrl);
    await run(`${programs}pg_restore`, [
      '--exit-on-error',
      '--single-transaction',
      '--no-owner',
      '--dbname',
      database,
      dump,
    ]);
    await ask(urls, `RESTORE DATABASE ${before.clickhouseDatabase} FROM File('nightly')`);
    say('restored: pg_restore, RESTORE DATABASE');
    // Some minutes early costs nothing: what is stored already counts once.
    const from = new Date(backedUpAt.getTime() - 600_000).toISOString();
    await kafkaTool('kafka-consumer-groups.sh', urls.kafkaBrokers, [
      ...['--group', GROUP, '--topic', 'cellarman.readings.v1'],
      ...['--reset-offsets', '--to-datetime', from.replace('Z', ''), '--execute'],
    ]);
    say('the sink reads the topic again from ten minutes before the backup');
  } finally {
    await engines.stop();
  }

  const restored = await startProduct({ dataDir, ports });
  const now = restored.run();
  say('everything runs');
  say(await fleet.verify());

  expectEqual('the key that was there', await statusOf(now, kept), 400);
  expectEqual('the key that was revoked before the backup', await statusOf(now, revokedBefore), 401);
  expectEqual('the key that was made after the backup', await statusOf(now, madeAfter), 401);
  expectEqual('the key that was revoked after the backup', await statusOf(now, revokedAfter), 400);
  expectEqual('the session of before', await operator.session(), 401);
  say(
    'keys are as in the backup: one that was revoked since works again, one that was made since is unknown; sessions have ended',
  );

  const again = await signIn(now);
  for (const id of operator.revokedIn(audit)) await again.revoke(id);
  await until('the key is refused', async () => (await statusOf(now, revokedAfter)) === 401);
  expectEqual('the key that was there', await statusOf(now, kept), 400);
  say(`${operator.revokedIn(audit).length} keys of audit.csv are revoked again and refused`);
  return restored;
}
