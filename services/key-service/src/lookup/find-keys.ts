import { DEFAULT_LINE_PROTOCOL_KEG } from '@cellarman/contracts';
import type { KeyRecord, LookupResult, Scope } from '@cellarman/contracts';
import type { Queryable } from '../postgres/database.ts';
import { EPOCH } from '../changes/epoch.ts';

interface Row {
  epoch: string;
  number: string;
  hash: string;
  id: string | null;
  cellar: string;
  rack: string | null;
  rack_prefix: string | null;
  scopes: Scope[];
  expires_at: Date | null;
  revoked_at: Date | null;
  rate_per_second: number | null;
  rate_burst: number | null;
  cellar_rate_per_second: number | null;
  cellar_rate_burst: number | null;
  retention_days: number;
  line_protocol_keg: string;
}

/**
 * Reads keys from PostgreSQL. One statement reads them and the number of the last change, so the results include exactly the
 * changes up to their number.
 *
 * @returns in the order of the hashes
 */
export async function findKeys(database: Queryable, hashes: readonly string[]): Promise<LookupResult[]> {
  const rows = await database.query<Row>(
    `WITH present AS MATERIALIZED (SELECT ${EPOCH} AS epoch, counter.value AS number FROM counter)
     SELECT present.epoch, present.number, asked.hash,
            key.id, key.cellar, key.rack, key.rack_prefix, key.scopes, key.expires_at,
            coalesce(key.revoked_at, cellars.archived_at) AS revoked_at,
            least(key.rate_per_second, cellars.rate_per_second) AS rate_per_second,
            least(key.rate_burst, cellars.rate_burst) AS rate_burst,
            cellars.rate_per_second AS cellar_rate_per_second, cellars.rate_burst AS cellar_rate_burst,
            cellars.retention_days, cellars.line_protocol_keg
     FROM present
     CROSS JOIN unnest($1::text[]) WITH ORDINALITY AS asked (hash, place)
     LEFT JOIN api_keys AS key ON key.hash = decode(asked.hash, 'hex')
     LEFT JOIN cellars ON cellars.name = key.cellar
     ORDER BY asked.place`,
    [hashes],
  );
  if (rows.length === 0 && hashes.length > 0) throw new Error('the table counter is empty');
  return rows.map((row) => ({
    epoch: row.epoch,
    number: Number(row.number),
    key: row.id === null ? null : toRecord(row.hash, row.id, row),
  }));
}

function toRecord(hash: string, id: string, row: Row): KeyRecord {
  return {
    id,
    hash,
    cellar: row.cellar,
    rack: row.rack,
    rackPrefix: row.rack_prefix,
    scopes: row.scopes,
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    ratePerSecond: row.rate_per_second,
    rateBurst: row.rate_burst,
    cellarRatePerSecond: row.cellar_rate_per_second,
    cellarRateBurst: row.cellar_rate_burst,
    retentionDays: row.retention_days,
    ...(row.line_protocol_keg !== DEFAULT_LINE_PROTOCOL_KEG && { lineProtocolKeg: row.line_protocol_keg }),
  };
}
