import { requireCellar } from '../cellars/cellars-repository.ts';
import { cutPage, readCursor } from '../http/page.ts';
import { toInstant } from '../http/instant.ts';
import type { Queryable } from '../postgres/database.ts';
import type { AuditView } from './audit-schema.ts';

interface Row {
  id: string;
  at: Date;
  actor: string;
  address: string | null;
  action: string;
  cellar: string | null;
  key_id: string | null;
  details: Record<string, unknown>;
}

export interface ListAudit {
  /** Undefined: of all cellars, and of what belongs to none. */
  cellar?: string;
  limit: number;
  cursor?: string;
}

/** Who did what, newest first. Entries are written with the change itself, see record-changes.ts. */
export function createAuditRepository({ database }: { database: Queryable }) {
  return {
    async list({ cellar, limit, cursor }: ListAudit) {
      if (cellar !== undefined) await requireCellar(database, cellar);
      const [before = null] = cursor === undefined ? [] : readCursor(cursor, 1);
      const rows = await database.query<Row>(
        `SELECT id, at, actor, address, action, cellar, key_id, details FROM audit
         WHERE ($1::text IS NULL OR cellar = $1) AND ($2::bigint IS NULL OR id < $2)
         ORDER BY id DESC
         LIMIT $3`,
        [cellar ?? null, before, limit + 1],
      );
      const { page, nextCursor } = cutPage(rows, limit, ({ id }) => [id]);
      return { entries: page.map(toView), nextCursor };
    },
  };
}

export type AuditRepository = ReturnType<typeof createAuditRepository>;

function toView(row: Row): AuditView {
  return {
    id: row.id,
    at: toInstant(row.at),
    actor: row.actor,
    address: row.address,
    action: row.action,
    cellar: row.cellar,
    keyId: row.key_id,
    details: row.details,
  };
}
