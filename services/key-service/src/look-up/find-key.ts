import type { KeyRecord, LookUpAnswer, Scope } from '@cellarman/contracts';
import type { Queryable } from '../postgres/database.ts';
import { EPOCH } from '../changes/epoch.ts';

interface Row {
  epoch: string;
  number: string;
  id: string | null;
  cellar: string;
  rack: string | null;
  rack_prefix: string | null;
  scopes: Scope[];
  expires_at: Date | null;
  revoked_at: Date | null;
  rate_per_second: number | null;
  rate_burst: number | null;
  retention_days: number;
}

/**
 * Asks PostgreSQL for a key. One statement reads the key and the number of the last change, so the answer includes
 * exactly the changes up to its number.
 */
export async function findKey(database: Queryable, hash: string): Promise<LookUpAnswer> {
  const [row] = await database.query<Row>(
    `SELECT ${EPOCH} AS epoch, counter.value AS number,
            key.id, key.cellar, key.rack, key.rack_prefix, key.scopes, key.expires_at, key.revoked_at,
            coalesce(key.rate_per_second, cellars.rate_per_second) AS rate_per_second,
            coalesce(key.rate_burst, cellars.rate_burst) AS rate_burst,
            cellars.retention_days
     FROM counter
     LEFT JOIN api_keys AS key ON key.hash = decode($1, 'hex')
     LEFT JOIN cellars ON cellars.name = key.cellar`,
    [hash],
  );
  if (row === undefined) throw new Error('the table counter has lost its row');
  return {
    epoch: row.epoch,
    number: Number(row.number),
    key: row.id === null ? null : toRecord(hash, row.id, row),
  };
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
    retentionDays: row.retention_days,
  };
}
