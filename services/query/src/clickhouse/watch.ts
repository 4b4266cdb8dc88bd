import { setTimeout as delay } from 'node:timers/promises';
import type { Readiness } from '@cellarman/lifecycle';
import type { Logger } from '@cellarman/telemetry';
import { createFirstHint } from '@cellarman/tls';
import type { ClickHouse } from '@cellarman/clickhouse';
import { querySettings } from './query-settings.ts';
import type { QueryBounds } from './query-settings.ts';

/** The last migration of the sink that the statements here rely on. */
export const NEEDED_MIGRATION = 7;
const INTERVAL_MS = 1_000;
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
  const stopped = new AbortController();
  const { signal } = stopped;
  let wellAt = -Infinity;
  let isFailing = false;
  const isFirstHint = createFirstHint();

  async function look(): Promise<void> {
    try {
      const answer = await clickhouse.query({
        query: 'SELECT max(number) >= {needed: UInt32} AS isThere FROM schema_migrations',
        clickhouse_settings: settings,
        query_params: { needed: NEEDED_MIGRATION },
        format: 'JSONEachRow',
        abort_signal: signal,
      });
      const [row] = await answer.json<{ isThere: boolean | number }>();
      if (!row?.isThere)
        throw new Error(`the tables lack migration ${NEEDED_MIGRATION}: run \`sink migrate\``);
      await probeTables();
      wellAt = performance.now();
      readiness.set('clickhouse', true);
      if (isFailing) logger.info({}, 'ClickHouse is reachable again');
      isFailing = false;
    } catch (error) {
      if (signal.aborted) return;
      if (isFirstHint(error) || !isFailing) logger.warn({ err: error }, 'ClickHouse cannot be queried');
      isFailing = true;
      if (performance.now() - wellAt < NOT_READY_AFTER_MS) return;
      readiness.set('clickhouse', false, error instanceof Error ? error.message : String(error));
    }
  }

  async function probeTables(): Promise<void> {
    const answer = await clickhouse.query({
      query: `SELECT ${PROBE}`,
      format: 'JSONCompactEachRow',
      clickhouse_settings: settings,
      abort_signal: signal,
    });
    await answer.json();
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await look();
      await delay(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
