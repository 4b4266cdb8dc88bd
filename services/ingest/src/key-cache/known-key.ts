import type { KeyRecord } from '@cellarman/contracts';

const MS_PER_DAY = 86_400_000;

/** A key as requests meet it: the record of key-service, made ready once so that requests compare plain numbers. */
export interface KnownKey {
  readonly record: KeyRecord;
  readonly revoked: boolean;
  /** Milliseconds since 1970; Infinity without an expiry. */
  readonly expiresAtMs: number;
  readonly mayIngest: boolean;
  readonly retentionMs: number;
  /** When a request came with it last, by the wall clock; 0 when none did. */
  lastUsedMs: number;
  /** The last use that was reported to key-service. */
  reportedMs: number;
  /** A use is not reported before this time. */
  reportAfterMs: number;
}

export function toKnownKey(record: KeyRecord): KnownKey {
  return {
    record,
    revoked: record.revokedAt !== null,
    expiresAtMs: record.expiresAt === null ? Infinity : instant(record.expiresAt),
    mayIngest: record.scopes.includes('ingest'),
    retentionMs: record.retentionDays * MS_PER_DAY,
    lastUsedMs: 0,
    reportedMs: 0,
    reportAfterMs: 0,
  };
}

/** An expiry that cannot be read must not make a key eternal. */
function instant(text: string): number {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? 0 : ms;
}
