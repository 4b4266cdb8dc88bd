import { createHash } from 'node:crypto';
import type { ClickHouse } from '@cellarman/clickhouse';
import { TABLES } from '../tables.ts';
import type { Migration } from './migrations.ts';
import { MIGRATIONS } from './migrations.ts';

export class MigrationError extends Error {
  override name = 'MigrationError';
}

interface Applied {
  number: number;
  checksum: string;
}

/**
 * Brings the tables to the state that this version needs and returns the numbers that it applied.
 *
 * Several may run concurrently: each statement can be repeated, and so can the record of it.
 */
export async function migrateTables(
  clickhouse: ClickHouse,
  options: { log: (migration: Migration) => void; migrations?: readonly Migration[] },
): Promise<number[]> {
  const { log, migrations = MIGRATIONS } = options;
  await clickhouse.command({ query: MIGRATIONS_TABLE });
  const missing = pending(migrations, await readApplied(clickhouse));
  for (const migration of missing) {
    for (const query of migration.statements) await clickhouse.command({ query });
    await clickhouse.insert({
      table: TABLES.migrations,
      values: [{ number: migration.number, name: migration.name, checksum: checksumOf(migration) }],
      columns: ['number', 'name', 'checksum'],
      format: 'JSONEachRow',
    });
    log(migration);
  }
  return missing.map((migration) => migration.number);
}

/**
 * Rejects tables that are older than this version. Newer ones are fine: during a rolling upgrade the old sink goes on.
 *
 * @throws {MigrationError}
 */
export async function checkTables(clickhouse: ClickHouse): Promise<void> {
  const exists = await clickhouse.query({
    query: `EXISTS TABLE ${TABLES.migrations}`,
    format: 'JSONEachRow',
  });
  const [row] = await exists.json<{ result: number }>();
  const applied = row?.result === 1 ? await readApplied(clickhouse) : [];
  const missing = pending(MIGRATIONS, applied).map((migration) => migration.number);
  if (missing.length > 0) {
    throw new MigrationError(
      `ClickHouse lacks the migrations ${missing.join(', ')}: run \`sink migrate\` first`,
    );
  }
}

const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS ${TABLES.migrations} (
  number UInt32,
  name String,
  checksum String,
  applied_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree
ORDER BY number`;

async function readApplied(clickhouse: ClickHouse): Promise<Applied[]> {
  const rows = await clickhouse.query({
    query: `SELECT number, checksum FROM ${TABLES.migrations} FINAL ORDER BY number`,
    format: 'JSONEachRow',
  });
  return rows.json<Applied>();
}

function pending(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const checksums = new Map(applied.map(({ number, checksum }) => [number, checksum]));
  return migrations.filter((migration) => {
    const checksum = checksums.get(migration.number);
    if (checksum === undefined) return true;
    if (checksum === checksumOf(migration)) return false;
    throw new MigrationError(
      `migration ${migration.number} (${migration.name}) was edited after it ran here: undo the edit and add a new one`,
    );
  });
}

function checksumOf(migration: Migration): string {
  return createHash('sha256').update(migration.statements.join(';\n')).digest('hex').slice(0, 16);
}
