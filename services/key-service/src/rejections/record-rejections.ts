import type { Rejected, RejectionsRequest } from '@cellarman/contracts';
import type { Queryable } from '../postgres/database.ts';

const KEY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Counts what a process of ingest reports, once, however often the report comes. Keys that do not exist are left out. */
export type RecordRejections = (report: RejectionsRequest) => Promise<void>;

export function createRecordRejections({ database }: { database: Queryable }): RecordRejections {
  return async ({ reporter, sequence, refusals: rejections, unauthenticated }) => {
    const of = <Name extends keyof Rejected>(name: Name) => known.map((rejected) => rejected[name]);
    const known = rejections.filter(({ keyId }) => KEY_ID.test(keyId));
    // In the order of the key of the table, so that reports of several replicas do not block each other for good.
    await database.query(
      `WITH fresh AS (
         INSERT INTO refusal_reporters AS reporters (id, sequence) VALUES ($1, $2)
         ON CONFLICT (id) DO UPDATE SET sequence = EXCLUDED.sequence, at = now()
         WHERE reporters.sequence < EXCLUDED.sequence
         RETURNING id
       ), unauthenticated AS (
         INSERT INTO unauthenticated_requests AS kept (minute, missing, unknown)
         SELECT date_trunc('minute', now()), $9::bigint, $10::bigint FROM fresh WHERE $9 + $10 > 0
         ON CONFLICT (minute) DO UPDATE SET
           missing = kept.missing + EXCLUDED.missing, unknown = kept.unknown + EXCLUDED.unknown
       ), given AS (
         SELECT key_id, code, coalesce(field, '') AS field, rack, detail, count, now() - ago_ms * interval '1 ms' AS at
         FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $11::text[], $7::bigint[], $8::bigint[])
           AS rejected (key_id, code, field, rack, detail, count, ago_ms)
       )
       INSERT INTO refusals AS kept (cellar, minute, key_id, code, field, count, last_at, rack, detail)
       SELECT api_keys.cellar, date_trunc('minute', at), key_id, code, field, sum(count), max(at),
         (array_agg(given.rack ORDER BY at DESC) FILTER (WHERE given.rack IS NOT NULL))[1],
         (array_agg(given.detail ORDER BY at DESC) FILTER (WHERE given.detail IS NOT NULL))[1]
       FROM given JOIN api_keys ON api_keys.id = key_id
       WHERE EXISTS (SELECT FROM fresh)
       GROUP BY 1, 2, 3, 4, 5
       ORDER BY 1, 2, 3, 4, 5
       ON CONFLICT (cellar, minute, key_id, code, field) DO UPDATE SET
         count = kept.count + EXCLUDED.count,
         last_at = greatest(kept.last_at, EXCLUDED.last_at),
         rack = CASE WHEN EXCLUDED.last_at < kept.last_at THEN coalesce(kept.rack, EXCLUDED.rack)
                     ELSE coalesce(EXCLUDED.rack, kept.rack) END,
         detail = coalesce(EXCLUDED.detail, kept.detail)`,
      [
        ...[reporter, sequence, of('keyId'), of('code'), of('field'), of('rack'), of('count'), of('agoMs')],
        ...[unauthenticated?.missing ?? 0, unauthenticated?.unknown ?? 0, of('detail')],
      ],
    );
  };
}
