import type { ClickHouse } from '@cellarman/clickhouse';
import { TABLES } from '../tables.ts';

const HOUR_SECONDS = 3_600;

/** Background work: queries and inserts go first. */
const SETTINGS = { max_threads: 1, priority: '10', wait_end_of_query: 1 } as const;

/**
 * The next hour that was not counted yet, by the time of receipt: the first one with readings behind the settled ones.
 *
 * @returns its begin, or undefined when there is none
 */
export async function nextHour(clickhouse: ClickHouse, signal?: AbortSignal): Promise<Date | undefined> {
  const result = await clickhouse.query({
    query: `SELECT count() > 0 AS is_any, toUnixTimestamp(toStartOfHour(min(received_at))) AS hour
      FROM ${TABLES.byTime}
      WHERE received_at >= (SELECT max(until) FROM ${TABLES.settledUntil})`,
    format: 'JSONEachRow',
    ...(signal === undefined ? {} : { abort_signal: signal }),
  });
  const [next] = await result.json<{ is_any: number; hour: number }>();
  return next === undefined || next.is_any === 0 ? undefined : new Date(next.hour * 1_000);
}

/** The end of an hour that begins then. */
export function endOf(hour: Date): Date {
  return new Date(hour.getTime() + HOUR_SECONDS * 1_000);
}

/**
 * Counts the readings that were first received in an hour, by cellar and minute. It must be over, and everything received
 * in it stored. Safe to repeat: the same counts come out, and a minute has one.
 */
export async function rollUpHour(clickhouse: ClickHouse, hour: Date, signal?: AbortSignal): Promise<void> {
  const options = {
    clickhouse_settings: SETTINGS,
    ...(signal === undefined ? {} : { abort_signal: signal }),
  };
  const params = { from: toSeconds(hour), to: toSeconds(endOf(hour)) };
  await clickhouse.command({
    query: `INSERT INTO ${TABLES.hourlyCounts} (cellar, minute, readings)
      SELECT cellar, toStartOfMinute(received_at) AS minute, count()
      FROM received_readings
      WHERE received_at >= fromUnixTimestamp({from: UInt32}) AND received_at < fromUnixTimestamp({to: UInt32})
      GROUP BY cellar, minute`,
    query_params: params,
    ...options,
  });
  // Only when the counts are there: if the sink dies in between, the hour is counted again.
  await clickhouse.command({
    query: `INSERT INTO ${TABLES.settledUntil} (until) VALUES (fromUnixTimestamp({to: UInt32}))`,
    query_params: params,
    ...options,
  });
}

function toSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
