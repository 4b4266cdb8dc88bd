import { startLoop } from '@cellarman/concurrency';
import type { Readiness } from '@cellarman/lifecycle';
import type { Logger } from '@cellarman/telemetry';
import { createFirstHint } from '@cellarman/tls';
import type { ClickHouse } from '@cellarman/clickhouse';
import { querySettings } from './query-settings.ts';
import type { QueryBounds } from './query-settings.ts';

/** The last migration of the sink that the statements here rely on. */
export const NEEDED_MIGRATION = 7;
const INTERVAL_MS = 1_000;
/** Grants and tables that were there hardly ever go: `schema_migrations` alone costs ClickHouse a tenth of the probe. */
const PROBE_INTERVAL_MS = 60_000;
/** A restart of ClickHouse takes less; the replicas need not leave for that. */
const NOT_READY_AFTER_MS = 10_000;

export interface WatchOptions extends QueryBounds {
  clickhouse: ClickHouse;
  readiness: Readiness;
  logger: Logger;
}

/** The tables that the statements of query read. */
export const NEEDED_TABLES = [
  ...['readings', 'received_readings', 'latest_readings', 'settled_counts', 'settled_until', 'key_readings'],
  ...['verified_hours', 'readings_by_time', 'arrived_readings'],
] as const;
/** Reads no row, but needs the same grants as the statements do. */
const PROBE = NEEDED_TABLES.map((table) => `(SELECT count() FROM (SELECT * FROM ${table} WHERE 0))`).join(
  ', ',
);

/**
 * Checks each second that ClickHouse responds, has the tables, and lets the user of query run statements with the settings
 * that query sends, for `/readyz`.
 */
export function watchClickHouse(options: WatchOptions): { stop(): Promise<void> } {
  const { clickhouse, readiness, logger } = options;
  const settings = querySettings(options);
  let wellAt = -Infinity;
  let probedAt = -Infinity;

  async function check(signal: AbortSignal): Promise<void> {
    const result = await clickhouse.query({
      query: 'SELECT max(number) >= {needed: UInt32} AS isThere FROM schema_migrations',
      clickhouse_settings: settings,
      query_params: { needed: NEEDED_MIGRATION },
      format: 'JSONEachRow',
      abort_signal: signal,
    });
    const [row] = await result.json<{ isThere: boolean | number }>();
    if (!row?.isThere) throw new Error(`the tables lack migration ${NEEDED_MIGRATION}: run \`sink migrate\``);
    if (performance.now() - probedAt > PROBE_INTERVAL_MS) await probeTables(signal);
    wellAt = performance.now();
    readiness.set('clickhouse', true);
  }

  async function probeTables(signal: AbortSignal): Promise<void> {
    const result = await clickhouse.query({
      query: `SELECT ${PROBE}`,
      format: 'JSONCompactEachRow',
      clickhouse_settings: settings,
      abort_signal: signal,
    });
    await result.json();
    probedAt = performance.now();
  }

  return startLoop({
    ...{ work: check, intervalMs: INTERVAL_MS, logger, isNews: createFirstHint() },
    failed: 'ClickHouse cannot be queried',
    recovered: 'ClickHouse is reachable again',
    onFailure(error) {
      probedAt = -Infinity;
      if (performance.now() - wellAt < NOT_READY_AFTER_MS) return;
      readiness.set('clickhouse', false, error instanceof Error ? error.message : String(error));
    },
  });
}
