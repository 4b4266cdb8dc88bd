import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';
import { toClickHouse } from '../time/instant.ts';
import type { ArrivalFilter, ArrivalsEvent, StoredArrival } from './arrival.ts';
import { VISIBLE_WITHIN_SECONDS } from './select-arrivals.ts';

/** Further back would be expensive in a cellar with many readings. */
const HISTORY_SECONDS = 600;

export interface NewestQuery {
  cellar: string;
  limit: RackLimit;
  filter: ArrivalFilter;
  /** At most. */
  count: number;
  /** `storedAt` of the newest reading that the client knew of. */
  after?: string | undefined;
}

/**
 * What a stream begins with: the newest readings, or after a reconnect what the client has missed. Readings that were stored
 * shortly before `after` come again, because some of them may have become visible since.
 */
export async function selectNewest(
  select: Select,
  query: NewestQuery,
  signal: AbortSignal,
): Promise<ArrivalsEvent> {
  const { after, count } = query;
  if (after !== undefined) {
    const since = `greatest({after: DateTime64(9, 'UTC')} - toIntervalSecond(${VISIBLE_WITHIN_SECONDS}), ${ago(HISTORY_SECONDS)})`;
    const [rows, missed] = await Promise.all([
      selectSince(select, query, since, signal),
      countSince(select, query, `greatest({after: DateTime64(9, 'UTC')}, ${ago(HISTORY_SECONDS)})`, signal),
    ]);
    const sent = rows.filter(
      ({ storedAt }) => toClickHouse('storedAt', storedAt) > toClickHouse('after', after),
    );
    return toEvent(rows, Math.max(0, missed - sent.length));
  }
  // Most cellars have enough in the last seconds, which are cheap.
  const recent = await selectSince(select, query, ago(VISIBLE_WITHIN_SECONDS), signal);
  if (recent.length >= count) return toEvent(recent, 0);
  return toEvent(await selectSince(select, query, ago(HISTORY_SECONDS), signal), 0);
}

function selectSince(select: Select, query: NewestQuery, since: string, signal: AbortSignal) {
  const { sql, params } = rowsSince(query, since);
  return select.rows<StoredArrival>(
    {
      sql: `SELECT rack, keg, timestamp, value, received_at AS receivedAt, stored_at AS storedAt
        FROM arrived_readings WHERE ${sql}
        ORDER BY stored_at DESC, received_at DESC LIMIT {count: UInt32}`,
      params: { ...params, count: query.count },
      maxRows: query.count,
    },
    signal,
  );
}

async function countSince(select: Select, query: NewestQuery, since: string, signal: AbortSignal) {
  const { sql, params } = rowsSince(query, since);
  const [row] = await select.rows<{ readings: number }>(
    { sql: `SELECT count() AS readings FROM arrived_readings WHERE ${sql}`, params, maxRows: 1 },
    signal,
  );
  return row?.readings ?? 0;
}

function rowsSince({ cellar, limit, filter, after }: NewestQuery, since: string) {
  const rows = rowsOf(cellar, limit, filter);
  const { rackPrefix } = filter;
  return {
    sql: [
      rows.sql,
      ...(rackPrefix === undefined ? [] : ['startsWith(rack, {wantedPrefix: String})']),
      `stored_at > ${since}`,
    ].join(' AND '),
    params: {
      ...rows.params,
      ...(rackPrefix === undefined ? {} : { wantedPrefix: rackPrefix }),
      ...(after === undefined ? {} : { after: toClickHouse('Last-Event-ID', after) }),
    },
  };
}

function ago(seconds: number): string {
  return `now64(9, 'UTC') - toIntervalSecond(${seconds})`;
}

function toEvent(rows: readonly StoredArrival[], more: number): ArrivalsEvent {
  return { readings: rows.map((row) => ({ ...row, visibleAfterMs: null })), more, isComplete: true };
}
