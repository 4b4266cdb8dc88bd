import type { KeyRecord } from '@cellarman/contracts';

/** An active key of the cellar `demo` without limits. */
export function keyRecord(record: Partial<KeyRecord> = {}): KeyRecord {
  return {
    ...{ id: `key-${(record.hash ?? 'x').slice(0, 12)}`, hash: '0'.repeat(64), cellar: 'demo' },
    ...{ rack: null, rackPrefix: null, scopes: ['ingest'], expiresAt: null, revokedAt: null },
    ...{ ratePerSecond: null, rateBurst: null, retentionDays: 90 },
    ...record,
  };
}
