import type { ClickHouse } from '@cellarman/clickhouse';
import { TABLES } from '../tables.ts';

const MINUTE_SECONDS = 60;
const MINUTES = 60;
const HOUR_SECONDS = MINUTES * MINUTE_SECONDS;

/**
 * An hour with more is counted in parts, down to a minute: a statement must end before the timeout of the client. One thread
 * counts 7,000,000 rows a second while parts overlap.
 */
const ROWS_OF_A_STATEMENT = 50_000_000;

const RECEIVED =
  'received_at >= fromUnixTimestamp({from: UInt32}) AND received_at < fromUnixTimestamp({to: UInt32})';

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
 *
 * @param rowsOfAStatement for tests
 */
export async function rollUpHour(
  clickhouse: ClickHouse,
  hour: Date,
  signal?: AbortSignal,
  rowsOfAStatement = ROWS_OF_A_STATEMENT,
): Promise<void> {
  const options = {
    clickhouse_settings: SETTINGS,
    ...(signal === undefined ? {} : { abort_signal: signal }),
  };
  const [from, to] = [toSeconds(hour), toSeconds(endOf(hour))];
  const counted = await clickhouse.query({
    query: `SELECT count() AS rows FROM ${TABLES.byTime} WHERE ${RECEIVED}`,
    query_params: { from, to },
    format: 'JSONEachRow',
    ...options,
  });
  const [result] = await counted.json<{ rows: number }>();
  const rows = Math.max(1, Number(result?.rows));
  const step = Math.max(1, Math.floor((MINUTES * rowsOfAStatement) / rows)) * MINUTE_SECONDS;
  for (let begin = from; begin < to; begin += step) {
    await clickhouse.command({
      query: `INSERT INTO ${TABLES.hourlyCounts} (cellar, minute, readings)
        SELECT cellar, toStartOfMinute(received_at) AS minute, count()
        FROM received_readings
        WHERE ${RECEIVED}
        GROUP BY cellar, minute`,
      query_params: { from: begin, to: Math.min(begin + step, to) },
      ...options,
    });
  }
  // Only when the counts are there: if the sink dies in between, the hour is counted again.
  await clickhouse.command({
    query: `INSERT INTO ${TABLES.settledUntil} (until) VALUES (fromUnixTimestamp({to: UInt32}))`,
    query_params: { to },
    ...options,
  });
}

function toSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
