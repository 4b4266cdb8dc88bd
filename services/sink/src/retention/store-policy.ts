import type { ClickHouse } from '@cellarman/clickhouse';
import type { RetentionPolicy } from '@cellarman/contracts';
import { TABLES } from '../tables.ts';

/** What the table holds, `''` being the default. */
type Stored = Map<string, number>;

export interface PolicyChange {
  /** Cellars whose days are new, other or gone. */
  changed: number;
  /** Readings that were about to be removed may be wanted again. */
  isLengthened: boolean;
}

/**
 * Brings the policy table in step with key-service. The view reads it with every query, so it counts from here on.
 *
 * All changes go in one insert: no query sees a half of them.
 */
export async function storePolicy(clickhouse: ClickHouse, policy: RetentionPolicy): Promise<PolicyChange> {
  const { days: stored, nextVersion } = await readStored(clickhouse);
  const wanted: Stored = new Map([
    ['', policy.defaultDays],
    ...policy.cellars.map(({ cellar, days }): [string, number] => [cellar, days]),
  ]);
  const rows = [
    ...[...wanted]
      .filter(([cellar, days]) => stored.get(cellar) !== days)
      .map(([cellar, days]) => ({ cellar, days, version: nextVersion, is_deleted: 0 })),
    ...[...stored.keys()]
      .filter((cellar) => !wanted.has(cellar))
      .map((cellar) => ({ cellar, days: 0, version: nextVersion, is_deleted: 1 })),
  ];
  if (rows.length === 0) return { changed: 0, isLengthened: false };
  await clickhouse.insert({
    table: TABLES.retention,
    values: rows,
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0, wait_end_of_query: 1 },
  });
  const fallback = stored.get('') ?? policy.defaultDays;
  const isLengthened = rows.some(
    ({ cellar }) => (wanted.get(cellar) ?? policy.defaultDays) > (stored.get(cellar) ?? fallback),
  );
  return { changed: rows.length, isLengthened };
}

async function readStored(clickhouse: ClickHouse): Promise<{ days: Stored; nextVersion: string }> {
  const result = await clickhouse.query({
    query: `SELECT cellar, days, toString(greatest(
        (SELECT max(version) + 1 FROM ${TABLES.retention}), toUInt64(toUnixTimestamp64Micro(now64(6))))) AS version
      FROM (SELECT cellar, days FROM ${TABLES.retention} FINAL UNION ALL SELECT '' AS cellar, 0 AS days)`,
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ cellar: string; days: number; version: string }>();
  return {
    days: new Map(rows.filter((row) => row.days > 0).map((row) => [row.cellar, row.days])),
    nextVersion: rows[0]?.version ?? '1',
  };
}
