import { requireCellar } from '../cellars/cellars-repository.ts';
import { toView } from '../http/to-view.ts';
import type { Queryable } from '../postgres/database.ts';
import {
  rejectionBucketSchema,
  rejectionMinuteSchema,
  REJECTIONS_KEPT_HOURS,
  rejectionViewSchema,
  unauthenticatedBucketSchema,
} from './rejection-schema.ts';
import type {
  RejectionBucket,
  RejectionMinute,
  RejectionView,
  UnauthenticatedBucket,
} from './rejection-schema.ts';

export interface RejectionsFilter {
  cellar: string;
  hours: number;
  /** Only those of this key. */
  key?: string;
}

/** A process of ingest that has been silent for so long is gone. */
const REPORTER_HOURS = 24;

/** Joined last: a row of a key is a random page, and a cellar may have many thousands with rejections. */
const KEY = `jsonb_build_object('id', api_keys.id, 'name', name, 'displayPrefix', display_prefix) AS key`;

/** What was rejected of the keys of a cellar. */
export function createRejectionsRepository({ database }: { database: Queryable }) {
  return {
    /** The kinds that were met, those met last first. */
    async list(filter: RejectionsFilter & { limit: number; rack?: string }): Promise<RejectionView[]> {
      await requireCellar(database, filter.cellar);
      const rows = await database.query(
        `SELECT code, nullif(field, '') AS field, count, last_at, kinds.rack, detail, ${KEY}
         FROM (
           SELECT key_id, code, field, sum(count)::float8 AS count, max(last_at) AS last_at,
             (array_agg(rack ORDER BY last_at DESC) FILTER (WHERE rack IS NOT NULL))[1] AS rack,
             (array_agg(detail ORDER BY last_at DESC) FILTER (WHERE detail IS NOT NULL))[1] AS detail
           FROM refusals
           WHERE cellar = $1 AND minute > now() - make_interval(hours => $2) AND ($4::uuid IS NULL OR key_id = $4)
             AND ($5::text IS NULL OR rack = $5)
           GROUP BY key_id, code, field
           ORDER BY max(last_at) DESC, key_id, code, field
           LIMIT $3
         ) AS kinds JOIN api_keys ON api_keys.id = key_id
         ORDER BY last_at DESC, key_id, code, kinds.field`,
        [filter.cellar, filter.hours, filter.limit, filter.key ?? null, filter.rack ?? null],
      );
      return rows.map((row) => toView(rejectionViewSchema, row));
    },

    /** When one was last counted, within ten minutes. */
    async lastAt(cellar: string): Promise<string | null> {
      const [row] = await database.query<{ at: string | null }>(
        `SELECT max(last_at)::text AS at FROM refusals WHERE cellar = $1 AND minute > now() - interval '10 minutes'`,
        [cellar],
      );
      return row?.at ?? null;
    },

    /** The kinds of each of the last minutes, those met last first. */
    async minutes(filter: { cellar: string; minutes: number; limit: number }): Promise<RejectionMinute[]> {
      await requireCellar(database, filter.cellar);
      const rows = await database.query(
        `SELECT minute, code, nullif(field, '') AS field, count::float8 AS count, last_at, kinds.rack, detail, ${KEY}
         FROM (
           SELECT * FROM refusals
           WHERE cellar = $1 AND minute > now() - make_interval(mins => $2)
           ORDER BY last_at DESC, key_id, code, field
           LIMIT $3
         ) AS kinds JOIN api_keys ON api_keys.id = key_id
         ORDER BY last_at DESC, key_id, code, kinds.field`,
        [filter.cellar, filter.minutes, filter.limit],
      );
      return rows.map((row) => toView(rejectionMinuteSchema, row));
    },

    /** How many there were of each code, by time. */
    async counts(filter: RejectionsFilter & { step: number }): Promise<RejectionBucket[]> {
      await requireCellar(database, filter.cellar);
      const rows = await database.query(
        `SELECT to_timestamp(floor(extract(epoch FROM minute) / $3::int) * $3::int) AS at, code, sum(count)::float8 AS rejected
         FROM refusals
         WHERE cellar = $1 AND minute > now() - make_interval(hours => $2) AND ($4::uuid IS NULL OR key_id = $4)
         GROUP BY 1, 2
         ORDER BY 1, 2`,
        [filter.cellar, filter.hours, filter.step, filter.key ?? null],
      );
      return rows.map((row) => toView(rejectionBucketSchema, row));
    },

    /** Requests without a known key, of all cellars together, by time. */
    async unauthenticated({
      hours,
      step,
    }: {
      hours: number;
      step: number;
    }): Promise<UnauthenticatedBucket[]> {
      const rows = await database.query(
        `SELECT to_timestamp(floor(extract(epoch FROM minute) / $2::int) * $2::int) AS at,
           sum(missing)::float8 AS missing, sum(unknown)::float8 AS unknown
         FROM unauthenticated_requests WHERE minute > now() - make_interval(hours => $1)
         GROUP BY 1 ORDER BY 1`,
        [hours, step],
      );
      return rows.map((row) => toView(unauthenticatedBucketSchema, row));
    },

    async prune(): Promise<void> {
      await database.query(
        `DELETE FROM unauthenticated_requests WHERE minute < now() - make_interval(hours => $1)`,
        [REJECTIONS_KEPT_HOURS],
      );
      await database.query(`DELETE FROM refusals WHERE minute < now() - make_interval(hours => $1)`, [
        REJECTIONS_KEPT_HOURS,
      ]);
      await database.query(`DELETE FROM refusal_reporters WHERE at < now() - make_interval(hours => $1)`, [
        REPORTER_HOURS,
      ]);
    },
  };
}

export type RejectionsRepository = ReturnType<typeof createRejectionsRepository>;
