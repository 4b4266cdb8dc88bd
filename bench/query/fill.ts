import type { ClickHouseClient } from '@clickhouse/client';

export const FLEET = { racks: 1_000, kegsPerRack: 10 } as const;
const SERIES = FLEET.racks * FLEET.kegsPerRack;
const MINUTES_PER_INSERT = 60;
/** One rack measures once a second, for a day. */
export const FAST = { rack: 'fast', keg: 'pressure', seconds: 86_400 } as const;

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
 * Stores a reading a minute of 10,000 series, hour by hour up to now as the sink would, until there are enough rows or the
 * time is up. Then a day of one series with a reading a second.
 */
export async function fill(options: FillOptions): Promise<Filled> {
  const { clickhouse, table, cellar, mostRows, mostSeconds } = options;
  const hours = Math.ceil(mostRows / (SERIES * MINUTES_PER_INSERT));
  const thisHour = Math.floor(Date.now() / 3_600_000) * 3_600;
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  let rows = 0;
  // The latest first, so that there is a last hour and a last day whenever the time is up.
  for (let hour = 0; hour < hours && seconds() < mostSeconds; hour++) {
    await clickhouse.command({
      query: `INSERT INTO ${table}
        SELECT {cellar: String}, 'rack-' || leftPad(toString(intDiv(series, ${FLEET.kegsPerRack})), 4, '0'),
          'keg-' || toString(series % ${FLEET.kegsPerRack}),
          toFloat64(cityHash64(series, at) % 4000) / 10, toDateTime64(at, 9, 'UTC'), toDateTime64(at, 3, 'UTC') + 0.25, 'bench'
        FROM (
          SELECT number % ${SERIES} AS series,
            {from: UInt32} + intDiv(number, ${SERIES}) * 60 + series % 60 AS at
          FROM numbers(${SERIES * MINUTES_PER_INSERT})
        )
        WHERE at <= now()`,
      query_params: { cellar, from: thisHour - hour * 3_600 },
    });
    rows += SERIES * MINUTES_PER_INSERT;
  }
  await clickhouse.command({
    query: `INSERT INTO ${table}
      SELECT {cellar: String}, '${FAST.rack}', '${FAST.keg}', sin(number / 1000), now64(9) - toIntervalSecond(number),
        now64(3) - toIntervalSecond(number), 'bench'
      FROM numbers(${FAST.seconds})`,
    query_params: { cellar },
  });
  return { rows: rows + FAST.seconds, seconds: seconds() };
}
