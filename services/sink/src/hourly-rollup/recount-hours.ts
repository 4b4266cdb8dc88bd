import type { ClickHouse } from '@cellarman/clickhouse';
import { TABLES } from '../tables.ts';
import { endOf, rollUpHour } from './roll-up-hour.ts';

/**
 * Counts hours again that the rollup has already and that have got a reading since. Hours that it does not have yet are
 * counted when they have ended.
 *
 * @param hours their begins, in seconds since 1970
 */
export async function recountHours(
  clickhouse: ClickHouse,
  hours: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<void> {
  if (hours.size === 0) return;
  const response = await clickhouse.query({
    query: `SELECT toUnixTimestamp(max(until)) AS until FROM ${TABLES.settledUntil}`,
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  const [settled] = await response.json<{ until: number }>();
  for (const seconds of hours) {
    const hour = new Date(seconds * 1_000);
    const isRolledUp = endOf(hour).getTime() <= (settled?.until ?? 0) * 1_000;
    if (isRolledUp) await rollUpHour(clickhouse, hour, signal);
  }
}
