import { requireCellar } from '../cellars/cellars-repository.ts';
import { cutPage, readCursor } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { MATCHES_FILTER, newestFirst, valuesOf } from './audit-filter.ts';
import type { AuditFilter } from './audit-filter.ts';
import { AUDIT_COLUMNS, toAuditView } from './audit-row.ts';
import { exportAudit } from './export-audit.ts';

export interface ListAudit extends AuditFilter {
  limit: number;
  cursor?: string;
}

/** Who did what, newest first. Entries are written with the change itself, see record-changes.ts. */
export function createAuditRepository({ database }: { database: Queryable }) {
  return {
    async list({ limit, cursor, ...filter }: ListAudit) {
      const { cellar } = filter;
      if (cellar !== undefined) await requireCellar(database, cellar);
      const [before = null] = cursor === undefined ? [] : readCursor(cursor, 1);
      const rows = await database.query<{ id: string }>(
        `SELECT ${AUDIT_COLUMNS} FROM audit
         WHERE ${MATCHES_FILTER} AND ($6::bigint IS NULL OR id < $6)
         ORDER BY ${newestFirst(filter)}
         LIMIT $7`,
        [...valuesOf(filter), before, limit + 1],
      );
      const { page, nextCursor } = cutPage(rows, limit, ({ id }) => [id]);
      return { entries: page.map(toAuditView), nextCursor };
    },

    export: (filter: AuditFilter) => exportAudit(database, filter),
  };
}

export type AuditRepository = ReturnType<typeof createAuditRepository>;
