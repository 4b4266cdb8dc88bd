import type { Select } from '../clickhouse/select.ts';
import { toClickHouse } from '../time/instant.ts';
import type { StoredArrival } from './arrival.ts';

/**
 * An insert takes effect up to this long after its `stored_at`, which is when it began. Longer than an insert of the sink may
 * take, and than a replica of ClickHouse may be behind.
 */
export const VISIBLE_WITHIN_SECONDS = 60;
/** Of one poll. Others are counted only. */
export const MAX_ROWS_PER_POLL = 10_000;
const MAX_INSERTS = 100_000;

/** What becomes visible atomically: the readings that one insert wrote into one partition. */
export interface Part {
  storedAt: string;
  /** `YYYYMM` of their timestamps. */
  month: number;
  /** Includes repetitions of readings that are there already. */
  readings: number;
}

/** The recent inserts of a cellar. Without FINAL, because this runs all the time, and mostly finds nothing new. */
export function selectParts(select: Select, cellar: string, signal: AbortSignal): Promise<Part[]> {
  return select.rows<Part>(
    {
      sql: `SELECT stored_at AS storedAt, toYYYYMM(timestamp) AS month, count() AS readings
        FROM readings_by_time
        WHERE cellar = {cellar: String} AND stored_at > now64(9) - toIntervalSecond(${VISIBLE_WITHIN_SECONDS})
        GROUP BY stored_at, month ORDER BY stored_at DESC`,
      params: { cellar },
      maxRows: MAX_INSERTS,
    },
    signal,
  );
}

/** The newest readings of these inserts, without those that were there before. */
export async function selectArrivals(
  select: Select,
  cellar: string,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<StoredArrival[]> {
  const inserts = [...new Set(parts.map(({ storedAt }) => toClickHouse('storedAt', storedAt)))].toSorted();
  const rows = await select.rows<StoredArrival>(
    {
      sql: `SELECT rack, keg, timestamp, value, received_at AS receivedAt, stored_at AS storedAt
        FROM arrived_readings
        WHERE cellar = {cellar: String} AND stored_at >= {first: DateTime64(9, 'UTC')}
          AND stored_at IN {inserts: Array(DateTime64(9, 'UTC'))}
        ORDER BY stored_at DESC, received_at DESC LIMIT ${MAX_ROWS_PER_POLL}`,
      params: { cellar, first: inserts[0], inserts },
      maxRows: MAX_ROWS_PER_POLL,
    },
    signal,
  );
  const wanted = new Set(parts.map(nameOf));
  return rows.filter(({ storedAt, timestamp }) =>
    wanted.has(nameOf({ storedAt, month: monthOf(timestamp) })),
  );
}

/** Identifies a part among the recent ones: two inserts do not begin in the same nanosecond. */
export function nameOf({ storedAt, month }: Pick<Part, 'storedAt' | 'month'>): string {
  return `${storedAt} ${month}`;
}

function monthOf(timestamp: string): number {
  return Number(timestamp.slice(0, 4)) * 100 + Number(timestamp.slice(5, 7));
}
