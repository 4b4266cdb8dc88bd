import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';

const LONGEST_MS = 1_800_000;

/**
 * Has the sink count all completed hours, from the first one. It had started while they were stored, the latest first, an order
 * that does not occur in production.
 *
 * @returns how many seconds it took
 */
export async function awaitCounts(clickhouse: ClickHouseClient): Promise<number> {
  for (const table of ['settled_until', 'settled_counts']) {
    await clickhouse.command({ query: `TRUNCATE TABLE ${table}` });
  }
  const begun = performance.now();
  while (performance.now() - begun < LONGEST_MS) {
    const answer = await clickhouse.query({
      // An hour that ended less than the delay of the sink ago may be missing.
      query: `SELECT max(until) >= toStartOfHour(now()) - toIntervalHour(1) AS is_done FROM settled_until`,
      format: 'JSONEachRow',
    });
    const [row] = await answer.json<{ is_done: number }>();
    if (row?.is_done === 1) return (performance.now() - begun) / 1_000;
    await delay(500);
  }
  throw new Error('the sink has not counted the hours');
}
