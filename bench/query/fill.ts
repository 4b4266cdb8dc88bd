import type { ClickHouseClient } from '@clickhouse/client';

const FLEET = { racks: 1_000, kegsPerRack: 10 } as const;
const SERIES = FLEET.racks * FLEET.kegsPerRack;
/** One rack measures once a second. */
export const FAST = { rack: 'fast', keg: 'pressure' } as const;
const ROWS_PER_HOUR = SERIES * 60 + 3_600;

export interface Filled {
  rows: number;
  seconds: number;
}

export interface FillOptions {
  clickhouse: ClickHouseClient;
  table: string;
  cellar: string;
  mostRows: number;
  mostSeconds: number;
}

/**
 * Stores a reading a minute of 10,000 series and a reading a second of one, hour by hour as the sink would, until there are
 * enough rows or the time is up.
 */
export async function fill(options: FillOptions): Promise<Filled> {
  const { clickhouse, table, cellar, mostRows, mostSeconds } = options;
  const hours = Math.ceil(mostRows / ROWS_PER_HOUR);
  const thisHour = Math.floor(Date.now() / 3_600_000) * 3_600;
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  let rows = 0;
  // The latest first, so that there is a last hour and a last day whenever the time is up.
  for (let hour = 0; hour < hours && seconds() < mostSeconds; hour++) {
    await clickhouse.command({
      query: `INSERT INTO ${table}
        SELECT {cellar: String}, rack, keg, value, toDateTime64(at, 9, 'UTC'), toDateTime64(at, 3, 'UTC') + 0.25, 'bench'
        FROM (
          SELECT 'rack-' || leftPad(toString(intDiv(number % ${SERIES}, ${FLEET.kegsPerRack})), 4, '0') AS rack,
            'keg-' || toString(number % ${FLEET.kegsPerRack}) AS keg,
            {from: UInt32} + intDiv(number, ${SERIES}) * 60 + number % 60 AS at,
            toFloat64(cityHash64(rack, keg, at) % 4000) / 10 AS value
          FROM numbers(${SERIES * 60})
          UNION ALL
          SELECT '${FAST.rack}' AS rack, '${FAST.keg}' AS keg, {from: UInt32} + number AS at, sin(at / 1000) AS value
          FROM numbers(3600)
        )
        WHERE at <= now()`,
      query_params: { cellar, from: thisHour - hour * 3_600 },
    });
    rows += ROWS_PER_HOUR;
  }
  return { rows, seconds: seconds() };
}
