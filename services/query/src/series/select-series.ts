import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';
import { withinRange } from '../time/range.ts';
import type { TimeRange } from '../time/range.ts';
import { summarize } from './summarize.ts';
import type { SeriesPoint, SeriesSummary } from './summarize.ts';

export interface SeriesQuery {
  cellar: string;
  limit: RackLimit;
  /** A series for each keg of each rack. */
  racks: readonly string[];
  kegs: readonly string[];
  range: TimeRange;
  stepMs: number;
  /** Of each series. */
  points: number;
}

export interface Series {
  rack: string;
  keg: string;
  points: SeriesPoint[];
  /** null: no readings in the range. */
  summary: SeriesSummary | null;
}

const NANOSECONDS = 1_000_000;

/** Without the function for it, which wraps around before 1970. */
const STEP_OF_READING = `fromUnixTimestamp64Nano(
    toUnixTimestamp64Nano(timestamp) - positiveModulo(toUnixTimestamp64Nano(timestamp), {step: Int64}), 'UTC')`;

/** The sum of great values can leave the range of a double, though their average never does. */
const AVERAGE = 'if(isFinite(avg(value)), avg(value), avg(value / 1e10) * 1e10)';

/** Returns the series in the order of the racks and kegs, all from one statement. */
export async function selectSeries(
  select: Select,
  { cellar, limit, racks, kegs, range, stepMs, points }: SeriesQuery,
  signal: AbortSignal,
): Promise<Series[]> {
  const { sql: where, params } = rowsOf(cellar, limit);
  const sql = `SELECT rack, keg, ${STEP_OF_READING} AS at, ${AVERAGE} AS avg, min(value) AS min, max(value) AS max,
      argMax(value, (timestamp, value)) AS last, count() AS count
    FROM readings
    WHERE ${where} AND rack IN {racks: Array(String)} AND keg IN {kegs: Array(String)} AND ${withinRange(range)}
    GROUP BY rack, keg, at ORDER BY at`;
  const wanted = racks.flatMap((rack) => kegs.map((keg) => ({ rack, keg, points: [] as SeriesPoint[] })));
  const rows = await select.rows<SeriesPoint & { rack: string; keg: string }>(
    {
      sql,
      params: { ...params, ...range, racks, kegs, step: String(stepMs * NANOSECONDS) },
      maxRows: points * wanted.length,
    },
    signal,
  );
  const byName = new Map(wanted.map((series) => [nameOf(series), series]));
  for (const { rack, keg, ...point } of rows) byName.get(nameOf({ rack, keg }))?.points.push(point);
  return wanted.map((series) => ({ ...series, summary: summarize(series.points) }));
}

function nameOf({ rack, keg }: { rack: string; keg: string }): string {
  return JSON.stringify([rack, keg]);
}
