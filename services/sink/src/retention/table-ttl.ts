import { createHash } from 'node:crypto';
import type { ClickHouse } from '@cellarman/clickhouse';
import type { RetentionPolicy } from '@cellarman/contracts';
import { TABLES } from '../tables.ts';

/**
 * When a reading may be removed, as an expression of ClickHouse. `timestamp` stays DateTime64: toDateTime() would wrap
 * around outside of 1970 to 2106, and a reading of 1960 would stay until 2096 (measured with 26.7).
 */
function ttlExpression(policy: RetentionPolicy): string {
  const others = policy.cellars
    .filter(({ days }) => days !== policy.defaultDays)
    .sort((a, b) => (a.cellar < b.cellar ? -1 : 1));
  if (others.length === 0) return `timestamp + toIntervalDay(${policy.defaultDays})`;
  // The contract allows nothing in the name of a cellar that would need an escape.
  const cellars = others.map(({ cellar }) => `'${cellar}'`).join(', ');
  const days = others.map((other) => other.days).join(', ');
  return `timestamp + toIntervalDay(transform(cellar, [${cellars}], [${days}], ${policy.defaultDays}))`;
}

/** What the comment of the table says about its TTL. It changes in the same ALTER. */
interface TtlState {
  /** Fingerprint of the TTL that the table has. */
  set: string | undefined;
  /** Fingerprint of the TTL that was last materialized in the stored parts. */
  materialized: string | undefined;
}

/** Everything that holds readings, and what its comment says before the marks. */
const KEPT_TABLES = {
  [TABLES.stored]: `Readings as they were inserted, repetitions included. Query the view ${TABLES.view}.`,
  [TABLES.byTime]: 'Readings in the order of time, repetitions included. Query the view received_readings.',
  [TABLES.series]: 'The latest reading of each series, in parts. Query the view latest_readings.',
} as const;
type KeptTable = keyof typeof KEPT_TABLES;
const TABLE_NAMES = Object.keys(KEPT_TABLES) as KeptTable[];
const MARKS = /TTL ([0-9a-f]{16}), in parts ([0-9a-f]{16}|none)\.$/;

/** Long lists of cellars make a long statement. */
const DDL_SETTINGS = {
  max_query_size: '100000000',
  max_ast_elements: '10000000',
  materialize_ttl_after_modify: 0,
} as const;

/**
 * Sets the TTL of the tables that do not have the one of this policy. Existing parts keep their TTL until
 * {@link materializeTtl}; new ones use it immediately.
 *
 * @returns whether any had another
 */
export async function setTtl(clickhouse: ClickHouse, policy: RetentionPolicy): Promise<boolean> {
  const expression = ttlExpression(policy);
  const wanted = fingerprint(expression);
  let isChanged = false;
  for (const table of TABLE_NAMES) {
    const state = await readState(clickhouse, table);
    if (state.set === wanted) continue;
    const comment = commentOf(table, { ...state, set: wanted });
    await clickhouse.command({
      query: `ALTER TABLE ${table} (MODIFY TTL ${expression}), (MODIFY COMMENT '${comment}')`,
      clickhouse_settings: DDL_SETTINGS,
    });
    isChanged = true;
  }
  return isChanged;
}

/**
 * Materializes the TTL in stored parts, so that ClickHouse drops expired rows in its next merges. It reads two columns of the
 * whole table, so it runs one at a time and not more often than `minIntervalSeconds`.
 *
 * @returns whether it was started in any table, and whether a table has to wait for it
 */
export async function materializeTtl(
  clickhouse: ClickHouse,
  options: { minIntervalSeconds: number },
): Promise<{ hasStarted: boolean; isWaiting: boolean }> {
  const states: TtlProgress[] = [];
  for (const table of TABLE_NAMES) states.push(await materializeTtlOf(clickhouse, table, options));
  return { hasStarted: states.includes('started'), isWaiting: states.includes('waiting') };
}

type TtlProgress = 'in parts' | 'started' | 'waiting';

async function materializeTtlOf(
  clickhouse: ClickHouse,
  table: KeptTable,
  options: { minIntervalSeconds: number },
): Promise<TtlProgress> {
  const state = await readState(clickhouse, table);
  if (state.set === undefined || state.set === state.materialized) return 'in parts';
  const result = await clickhouse.query({
    query: `SELECT countIf(NOT is_done) AS running, dateDiff('second', max(create_time), now()) AS age, count() AS runs
      FROM system.mutations
      WHERE database = currentDatabase() AND table = '${table}' AND command LIKE '%MATERIALIZE TTL%'`,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const [last] = await result.json<{ running: number; age: number; runs: number }>();
  if (last !== undefined && last.running > 0) return 'waiting';
  if (last !== undefined && last.runs > 0 && last.age < options.minIntervalSeconds) return 'waiting';
  await clickhouse.command({ query: `ALTER TABLE ${table} MATERIALIZE TTL` });
  // After the ALTER: if the sink dies in between, the TTL is materialized twice, not never.
  const comment = commentOf(table, { ...state, materialized: state.set });
  await clickhouse.command({ query: `ALTER TABLE ${table} MODIFY COMMENT '${comment}'` });
  return 'started';
}

async function readState(clickhouse: ClickHouse, table: KeptTable): Promise<TtlState> {
  const result = await clickhouse.query({
    query: `SELECT comment, position(engine_full, ' TTL ') > 0 AS has_ttl FROM system.tables
      WHERE database = currentDatabase() AND name = '${table}'`,
    format: 'JSONEachRow',
  });
  const [found] = await result.json<{ comment: string; has_ttl: number }>();
  const [, set, materialized] = MARKS.exec(found?.comment ?? '') ?? [];
  return found?.has_ttl === 1 ? { set, materialized } : { set: undefined, materialized: undefined };
}

function commentOf(table: KeptTable, { set, materialized }: TtlState): string {
  return `${KEPT_TABLES[table]} TTL ${set ?? 'none'}, in parts ${materialized ?? 'none'}.`;
}

function fingerprint(expression: string): string {
  return createHash('sha256').update(expression).digest('hex').slice(0, 16);
}
