import { MAX_OBSERVED } from '@cellarman/contracts';
import type { ObservationResponse } from '@cellarman/contracts';
import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';

export interface KegValuesQuery {
  cellar: string;
  racks: RackLimit;
  keg: string;
  above?: number;
  below?: number;
  lookBackSeconds: number;
  now: Date;
}

interface Row {
  rack: string;
  value: number;
  latestAt: string;
  /** 1970 where there is none, as ClickHouse fills in what a join does not find. */
  goodAt: string;
  badAt: string;
}

/** Readings are never this old. */
const NONE = '1970-01-01';

/** Reads the latest value of each rack first, so that the readings of the others are not read at all. */
export async function selectKegValues(
  select: Select,
  { cellar, racks, keg, above, below, lookBackSeconds, now }: KegValuesQuery,
  signal: AbortSignal,
): Promise<ObservationResponse<'kegValues'>> {
  const { sql: where, params } = rowsOf(cellar, racks, { keg });
  const isOutside = [
    ...(above === undefined ? [] : ['value > {above: Float64}']),
    ...(below === undefined ? [] : ['value < {below: Float64}']),
  ].join(' OR ');
  const sql = `WITH
      bad AS (
        SELECT rack, value, timestamp FROM latest_readings WHERE ${where} AND (${isOutside})
        ORDER BY rack LIMIT {limit: UInt32}
      ),
      recent AS (
        SELECT rack, timestamp, (${isOutside}) AS isOutside FROM readings
        WHERE ${where} AND rack IN (SELECT rack FROM bad)
          AND timestamp >= {now: DateTime64(3, 'UTC')} - toIntervalSecond({lookBackSeconds: UInt32})
      ),
      good AS (SELECT rack, max(timestamp) AS at FROM recent WHERE NOT isOutside GROUP BY rack)
    SELECT bad.rack AS rack, any(bad.value) AS value, any(bad.timestamp) AS latestAt, max(good.at) AS goodAt,
      minIf(recent.timestamp, recent.timestamp > good.at) AS badAt
    FROM bad LEFT JOIN recent ON recent.rack = bad.rack LEFT JOIN good ON good.rack = bad.rack
    GROUP BY bad.rack ORDER BY rack`;
  const limit = MAX_OBSERVED + 1;
  const rows = await select.rows<Row>(
    { sql, params: { ...params, above, below, lookBackSeconds, now, limit }, maxRows: limit },
    signal,
  );
  return { racks: rows.slice(0, MAX_OBSERVED).map(toRack), isTruncated: rows.length > MAX_OBSERVED };
}

function toRack({ rack, value, latestAt, goodAt, badAt }: Row) {
  return {
    rack,
    value,
    since: badAt.startsWith(NONE) ? latestAt : badAt,
    lastGoodAt: goodAt.startsWith(NONE) ? null : goodAt,
  };
}
