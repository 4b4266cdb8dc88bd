import type { Select } from '../clickhouse/select.ts';

export interface CellarActivity {
  cellar: string;
  readingsLastHour: number;
  lastReadingAt: string;
  racks: number;
  silentRacks: number;
  /** Readings of the last 24 hours by the hour of their receipt, the oldest first. */
  hours: number[];
}

export const HOURS = 24;
/** A rack that sent within the last day is silent after this time without a reading. */
export const SILENT_MINUTES = 15;

const MAX_CELLARS = 10_000;

/**
 * Completed hours were counted by the sink; only what came after them is read.
 *
 * @param of null: all cellars
 */
export function selectCellars(
  select: Select,
  { cellars, now }: { cellars: readonly string[] | null; now: Date },
  signal: AbortSignal,
): Promise<CellarActivity[]> {
  const mine = cellars === null ? '1' : 'cellar IN {cellars: Array(String)}';
  const sql = `WITH
      {now: DateTime64(3, 'UTC')} AS now,
      now - INTERVAL ${HOURS} HOUR AS dayAgo,
      least((SELECT max(until) FROM settled_until), toStartOfMinute(now)) AS settled
    SELECT cellar, readingsLastHour, lastReadingAt, racks, silentRacks,
      if(empty(counted.hours), arrayWithConstant(${HOURS}, toUInt64(0)), counted.hours) AS hours
    FROM (
      SELECT cellar, max(seen) AS lastReadingAt, count() AS racks,
        countIf(seen > dayAgo AND seen < now - INTERVAL ${SILENT_MINUTES} MINUTE) AS silentRacks
      FROM (
        SELECT cellar, rack, max(last_received_at) AS seen FROM latest_readings WHERE ${mine} GROUP BY cellar, rack
      ) GROUP BY cellar
    ) AS known
    LEFT JOIN (
      SELECT cellar, count() AS readingsLastHour FROM received_readings
      WHERE ${mine} AND received_at > now - INTERVAL 1 HOUR GROUP BY cellar
    ) AS recent USING (cellar)
    LEFT JOIN (
      SELECT cellar, sumForEach(arrayMap(hour -> if(hour = slot, readings, 0), range(${HOURS}))) AS hours
      FROM (
        SELECT cellar, ${slotOf('minute')} AS slot, sum(readings) AS readings FROM settled_counts FINAL
        WHERE ${mine} AND minute > dayAgo AND minute < settled GROUP BY cellar, slot
        UNION ALL
        SELECT cellar, ${slotOf('received_at')} AS slot, count() AS readings FROM received_readings
        WHERE ${mine} AND received_at >= greatest(dayAgo, settled) AND received_at < now GROUP BY cellar, slot
      ) GROUP BY cellar
    ) AS counted USING (cellar)
    ORDER BY cellar LIMIT ${MAX_CELLARS}`;
  const params = { now, ...(cellars === null ? {} : { cellars }) };
  return select.rows<CellarActivity>({ sql, params, maxRows: MAX_CELLARS }, signal);
}

/** Which of the hours before now a time is in, as an index from the oldest. */
function slotOf(time: string): string {
  return `${HOURS - 1} - intDiv(dateDiff('second', ${time}, now), 3600)`;
}
