import { rm, writeFile } from 'node:fs/promises';
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
import { replayAudit } from './replay-audit.ts';
import { run, until } from './run.ts';
import { expectEqual } from './say.ts';

const GROUP = 'cellarman-sink';
const READINGS = 5_000;
const ARCHIVED = 'archived-after';

/**
 * Both databases from nightly backups: PostgreSQL by pg_dump, ClickHouse by BACKUP. What came after is brought back from the topic and
 * from the exported audit. Redis stays as it was, and knows more than PostgreSQL.
 */
export async function rehearseDumps(options: Rehearsal): Promise<Product> {
  const { product, dataDir, ports, programs, fleet, say } = options;
  const before = product.run();
  const operator = await signIn(before);
  await operator.createCellar(ARCHIVED);
  const kept = await operator.createKey('kept');
  const revokedBefore = await operator.createKey('revoked before');
  const stoppedAfter = {
    'revoked after the backup': await operator.createKey('revoked after'),
    'rotated after the backup': await operator.createKey('rotated after'),
    'of a cellar that was archived after the backup': await operator.createKey('archived after', ARCHIVED),
  };
  const token = await operator.createServiceToken('restore');
  await operator.revoke(revokedBefore);
  await fleet.send(READINGS);
  say(`${READINGS} readings acknowledged, one key revoked`);

  const dump = join(dataDir, 'cellarman.dump');
  const backedUpAt = new Date();
  await run(`${programs}pg_dump`, ['--format=custom', '--file', dump, before.databaseUrl]);
  await ask(before, `BACKUP DATABASE ${before.clickhouseDatabase} TO File('nightly')`);
  say('backup: pg_dump, BACKUP DATABASE');

  await fleet.send(READINGS);
  const madeAfter = await operator.createKey('made after');
  await operator.revoke(stoppedAfter['revoked after the backup']);
  await operator.rotate(stoppedAfter['rotated after the backup']);
  await operator.archive(ARCHIVED);
  await writeFile(join(dataDir, 'audit.csv'), await operator.auditCsv());
  say(
    `${READINGS} more readings; one key created, one revoked, one rotated, one cellar archived; audit.csv exported`,
  );

  await product.stop();
  await rm(join(dataDir, 'postgres', 'cluster'), { recursive: true });
  await rm(join(dataDir, 'clickhouse'), { recursive: true });
  say('PostgreSQL and ClickHouse lose all their files');

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
    say('the sink re-reads the topic from ten minutes before the backup');
  } finally {
    await engines.stop();
  }

  const restored = await startProduct({ dataDir, ports });
  const now = restored.run();
  say('everything is running');
  say(await fleet.verify());

  expectEqual('the key that was there', await statusOf(now, kept), 400);
  expectEqual('the key that was revoked before the backup', await statusOf(now, revokedBefore), 401);
  expectEqual('the key that was made after the backup', await statusOf(now, madeAfter), 401);
  for (const [name, key] of Object.entries(stoppedAfter)) {
    expectEqual(`the key ${name}`, await statusOf(now, key), 400);
  }
  expectEqual('the session of before', await operator.session(), 401);
  say(
    'keys are as in the backup: the three revoked since work again, the one created since is unknown; sessions have ended',
  );

  await replayAudit({ directory: dataDir, url: now.keyServiceUrl, token });
  for (const [name, key] of Object.entries(stoppedAfter)) {
    await until(`the key ${name} is rejected`, async () => (await statusOf(now, key)) === 401);
  }
  expectEqual('the key that was there', await statusOf(now, kept), 400);
  say('the commands of docs/backup.md revoked again what audit.csv lists');
  return restored;
}
