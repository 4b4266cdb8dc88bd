import type { ClickHouse } from '@cellarman/clickhouse';
import { TABLES } from '../tables.ts';
import { HOUR_MS } from './hour.ts';
import type { Hour } from './hour.ts';
import { zeroFigures } from './hour-report.ts';
import type { Figures, HourReport } from './hour-report.ts';
import type { VerifiedHour } from './verify-hour.ts';

/** A row of the hour as a whole has no cellar: no cellar can have this name. */
const WHOLE = '';
const SETTINGS = { async_insert: 0, wait_end_of_query: 1 } as const;

export interface CheckedHour {
  hour: Hour;
  verifiedAt: number;
  checkedAt: number;
  /** Empty: Kafka no longer had the messages. */
  digest: string;
  figures: Pick<Figures, 'missing' | 'duplicated' | 'altered'>;
}

/** The hours that were checked, from one on. */
export async function readCheckedHours(
  clickhouse: ClickHouse,
  from: number,
  signal: AbortSignal,
): Promise<CheckedHour[]> {
  const result = await clickhouse.query({
    query: `SELECT toUnixTimestamp(hour) * 1000 AS hour, toUnixTimestamp64Milli(verified_at) AS verifiedAt,
        toUnixTimestamp64Milli(checked_at) AS checkedAt, digest, missing, duplicated, altered
      FROM ${TABLES.verifiedHours} FINAL WHERE cellar = '${WHOLE}' AND hour >= fromUnixTimestamp64Milli({from: Int64})`,
    query_params: { from },
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    abort_signal: signal,
  });
  const rows = await result.json<
    { hour: number; verifiedAt: number; checkedAt: number; digest: string } & Figures
  >();
  return rows.map(({ hour, verifiedAt, checkedAt, digest, ...figures }) => ({
    ...{ verifiedAt, checkedAt, digest, figures },
    hour: { from: hour, to: hour + HOUR_MS },
  }));
}

/**
 * Stores the report of an hour in one insert, so that a query sees all of it or nothing. A row of a cellar counts only
 * beside a row of the whole hour with the same `verified_at`: what an earlier verification found may be gone.
 *
 * @param verified undefined: Kafka no longer has all messages
 */
export async function storeReport(
  clickhouse: ClickHouse,
  hour: Hour,
  verified: VerifiedHour | undefined,
): Promise<void> {
  const now = Date.now();
  const times = { hour: hour.from / 1_000, verified_at: seconds(now), checked_at: seconds(now) };
  const { cellars, findings }: HourReport = verified ?? { cellars: new Map(), findings: new Map() };
  const rows = [...cellars]
    // What belongs to no cellar is in the row of the whole hour.
    .filter(([cellar]) => cellar !== WHOLE)
    .map(([cellar, figures]) => ({ ...times, cellar, ...figures, findings: findings.get(cellar) ?? [] }));
  const whole = {
    ...{ ...times, cellar: WHOLE, ...sumOf(cellars.values()) },
    ...{ digest: verified?.digest ?? '', findings: findings.get(WHOLE) ?? [] },
  };
  await clickhouse.insert({
    table: TABLES.verifiedHours,
    values: [...rows, whole],
    format: 'JSONEachRow',
    clickhouse_settings: SETTINGS,
  });
}

/** Stores that nothing has changed in ClickHouse since the hour was verified. */
export async function storeCheck(clickhouse: ClickHouse, { hour }: Pick<CheckedHour, 'hour'>): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO ${TABLES.verifiedHours}
      SELECT * REPLACE (fromUnixTimestamp64Milli({now: Int64}, 'UTC') AS checked_at) FROM ${TABLES.verifiedHours} FINAL
      WHERE hour = fromUnixTimestamp64Milli({hour: Int64}) AND cellar = '${WHOLE}'`,
    query_params: { now: Date.now(), hour: hour.from },
    clickhouse_settings: SETTINGS,
  });
}

function sumOf(all: Iterable<Figures>): Figures {
  const sum = zeroFigures();
  for (const figures of all) {
    for (const name of Object.keys(sum) as (keyof Figures)[]) sum[name] += figures[name];
  }
  return sum;
}

/** As ClickHouse reads a DateTime64(3). */
function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
