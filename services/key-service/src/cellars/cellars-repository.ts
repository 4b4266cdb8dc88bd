import { DEFAULT_LINE_PROTOCOL_KEG } from '@cellarman/contracts';
import type { Actor } from '../changes/record-changes.ts';
import type { Commit } from '../changes/committer.ts';
import { toView } from '../http/to-view.ts';
import { ApiError, cutPage, readCursor } from '@cellarman/http-api';
import { toRateLimit } from '../http/rate-limit-schema.ts';
import type { RateLimit } from '../http/rate-limit-schema.ts';
import { violates } from '../postgres/constraint.ts';
import type { Queryable } from '../postgres/database.ts';
import { cellarViewSchema, MOST_COUNTED_KEYS } from './cellar-schema.ts';
import { IS_ACTIVE } from './is-active.ts';
import type { CellarView } from './cellar-schema.ts';
import { unknownCellar } from '../access/unknown-cellar.ts';

interface Row {
  [column: string]: unknown;
  name: string;
  rate_per_second: number | null;
  rate_burst: number | null;
}

/** 100,000 took longer than a statement may, 3.4 to 4.2 s. */
const MOST_WRITTEN_KEYS = 10_000;

/** Up to 10,001 keys of each are counted. */
const CELLARS_OF_A_STATEMENT = 25;

const SELECT = `
  SELECT cellars.name, cellars.retention_days, cellars.rate_per_second, cellars.rate_burst,
         cellars.line_protocol_keg, cellars.created_at, creator.email AS created_by, cellars.archived_at,
         CASE WHEN cellars.archived_at IS NULL THEN (
           SELECT count(*)::int FROM (
             SELECT FROM api_keys WHERE cellar = cellars.name AND ${IS_ACTIVE} LIMIT ${MOST_COUNTED_KEYS + 1}
           ) AS active
         ) ELSE 0 END AS active_keys,
         (
           SELECT coalesce(sum(count), 0)::float8 FROM refusals
           WHERE refusals.cellar = cellars.name AND minute > now() - interval '1 hour'
         ) AS rejected_last_hour
  FROM cellars
  LEFT JOIN administrators AS creator ON creator.id = cellars.created_by`;

export interface CellarSettings {
  retentionDays: number;
  rateLimit: RateLimit | null;
  lineProtocolKeg?: string;
}

export interface ListCellars {
  /** A part of the name, in any case. */
  search?: string;
  archived: boolean;
  /** null: all. */
  granted: string[] | null;
  limit: number;
  cursor?: string;
}

/** Cellars in PostgreSQL. Each change of one is recorded, so that its keys and its retention are read again. */
export function createCellarsRepository({ database, commit }: { database: Queryable; commit: Commit }) {
  return {
    async create(name: string, settings: CellarSettings, actor: Actor): Promise<CellarView> {
      return commit(actor, async (transaction) => {
        const { retentionDays, rateLimit, lineProtocolKeg = DEFAULT_LINE_PROTOCOL_KEG } = settings;
        await transaction
          .query(
            `INSERT INTO cellars (name, retention_days, rate_per_second, rate_burst, created_by, line_protocol_keg)
             VALUES ($1, $2, $3, $4, $5, $6)`,
            [
              name,
              retentionDays,
              rateLimit?.perSecond ?? null,
              rateLimit?.burst ?? null,
              actor.id,
              lineProtocolKeg,
            ],
          )
          .catch((error: unknown) => {
            if (!violates(error, 'cellars_pkey')) throw error;
            throw new ApiError(
              'conflict',
              'This cellar name is taken. Names of archived cellars cannot be reused.',
            );
          });
        return outcome(await get(transaction, name), 'cellar.created', { ...settings });
      });
    },

    async list({ search, archived, granted, limit, cursor }: ListCellars) {
      let [after = ''] = cursor === undefined ? [] : readCursor(cursor, 1);
      const rows: Row[] = [];
      for (let isLast = false; !isLast;) {
        const missing = limit + 1 - rows.length;
        const next = await database.query<Row>(
          `${SELECT}
           WHERE cellars.name > $1 AND (cellars.archived_at IS NOT NULL) = $2
             AND ($3::text IS NULL OR position(lower($3) IN lower(cellars.name)) > 0)
             AND ($4::text[] IS NULL OR cellars.name = ANY ($4))
           ORDER BY cellars.name
           LIMIT $5`,
          [after, archived, search ?? null, granted, Math.min(missing, CELLARS_OF_A_STATEMENT)],
        );
        rows.push(...next);
        after = next.at(-1)?.name ?? after;
        isLast = next.length < CELLARS_OF_A_STATEMENT || rows.length > limit;
      }
      const { page, nextCursor } = cutPage(rows, limit, ({ name }) => [name]);
      return { cellars: page.map(toCellar), nextCursor };
    },

    get: (name: string) => get(database, name),

    async change(name: string, change: Partial<CellarSettings>, actor: Actor): Promise<CellarView> {
      return commit(actor, async (transaction) => {
        const before = await lock(transaction, name);
        if (before.archivedAt !== null) throw new ApiError('conflict', 'The cellar is archived');
        const { retentionDays, rateLimit, lineProtocolKeg } = before;
        const after = { retentionDays, rateLimit, lineProtocolKeg, ...change };
        await transaction.query(
          `UPDATE cellars SET retention_days = $2, rate_per_second = $3, rate_burst = $4, line_protocol_keg = $5
           WHERE name = $1`,
          [
            name,
            after.retentionDays,
            after.rateLimit?.perSecond ?? null,
            after.rateLimit?.burst ?? null,
            after.lineProtocolKeg,
          ],
        );
        return outcome(await get(transaction, name), 'cellar.changed', {
          before: { retentionDays, rateLimit, lineProtocolKeg },
          after,
        });
      });
    },

    /**
     * Revokes the keys of the cellar by this one row: every read of a key includes when its cellar was archived. Archiving an
     * archived cellar changes nothing.
     */
    async archive(name: string, actor: Actor): Promise<CellarView> {
      return commit(actor, async (transaction) => {
        const before = await lock(transaction, name);
        if (before.archivedAt !== null) return { ...outcome(before, 'cellar.archived'), changed: [] };
        await transaction.query(`UPDATE cellars SET archived_at = now(), archived_by = $2 WHERE name = $1`, [
          name,
          actor.id,
        ]);
        if (before.activeKeys <= MOST_WRITTEN_KEYS) await revokeKeysOf(transaction, name, actor);
        // The change of the cellar is enough: everybody drops their copies of its keys.
        const activeKeys =
          before.activeKeys > MOST_COUNTED_KEYS ? `${MOST_COUNTED_KEYS}+` : before.activeKeys;
        return outcome(await get(transaction, name), 'cellar.archived', { activeKeys });
      });
    },
  };
}

export type CellarsRepository = ReturnType<typeof createCellarsRepository>;

/**
 * For replicas of the version before, which read the keys alone; the next version can leave it out.
 *
 * Locked in the order of their ids, as everybody does who locks several keys: no deadlock.
 */
async function revokeKeysOf(transaction: Queryable, name: string, actor: Actor): Promise<void> {
  await transaction.query(
    `UPDATE api_keys SET revoked_at = now(), revoked_by = $2
     WHERE id IN (
       SELECT id FROM api_keys
       WHERE cellar = $1 AND ${IS_ACTIVE}
       ORDER BY id FOR UPDATE
     )`,
    [name, actor.id],
  );
}

/** @throws {ApiError} `not_found` */
export async function requireCellar(database: Queryable, name: string): Promise<void> {
  const rows = await database.query(`SELECT FROM cellars WHERE name = $1`, [name]);
  if (rows.length === 0) throw unknownCellar();
}

async function get(database: Queryable, name: string): Promise<CellarView> {
  const [row] = await database.query<Row>(`${SELECT} WHERE cellars.name = $1`, [name]);
  if (row === undefined) throw unknownCellar();
  return toCellar(row);
}

/** Blocks transactions that create or change a key of the cellar until this one ends. */
async function lock(transaction: Queryable, name: string): Promise<CellarView> {
  await transaction.query(`SELECT FROM cellars WHERE name = $1 FOR UPDATE`, [name]);
  return get(transaction, name);
}

function outcome(cellar: CellarView, action: string, details: Record<string, unknown> = {}) {
  return {
    result: cellar,
    changed: [{ kind: 'cellar', cellar: cellar.name } as const],
    entries: [{ action, cellar: cellar.name, details }],
  };
}

function toCellar(row: Row): CellarView {
  return toView(cellarViewSchema, row, { rateLimit: toRateLimit(row) });
}
