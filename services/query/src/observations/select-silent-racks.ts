import { MAX_OBSERVED } from '@cellarman/contracts';
import type { ObservationResponse } from '@cellarman/contracts';
import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';

export interface SilentRacksQuery {
  cellar: string;
  racks: RackLimit;
  silentForSeconds: number;
  forgetAfterSeconds: number;
  now: Date;
}

const NOW = `{now: DateTime64(3, 'UTC')}`;

export async function selectSilentRacks(
  select: Select,
  { cellar, racks, silentForSeconds, forgetAfterSeconds, now }: SilentRacksQuery,
  signal: AbortSignal,
): Promise<ObservationResponse<'silentRacks'>> {
  const { sql: where, params } = rowsOf(cellar, racks);
  const sql = `SELECT rack, max(last_received_at) AS lastSeenAt FROM latest_readings
    WHERE ${where} GROUP BY rack
    HAVING lastSeenAt < ${NOW} - toIntervalSecond({silentForSeconds: UInt32})
      AND lastSeenAt >= ${NOW} - toIntervalSecond({forgetAfterSeconds: UInt32})
    ORDER BY rack LIMIT {limit: UInt32}`;
  const limit = MAX_OBSERVED + 1;
  const rows = await select.rows<{ rack: string; lastSeenAt: string }>(
    { sql, params: { ...params, now, silentForSeconds, forgetAfterSeconds, limit }, maxRows: limit },
    signal,
  );
  return { racks: rows.slice(0, MAX_OBSERVED), isTruncated: rows.length > MAX_OBSERVED };
}
