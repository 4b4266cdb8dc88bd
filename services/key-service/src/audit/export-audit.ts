import { Readable } from 'node:stream';
import { requireCellar } from '../cellars/cellars-repository.ts';
import { ApiError } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { MATCHES_FILTER, newestFirst, valuesOf } from './audit-filter.ts';
import type { AuditFilter } from './audit-filter.ts';
import { AUDIT_COLUMNS, toAuditView } from './audit-row.ts';
import type { AuditView } from './audit-schema.ts';
import { csvLine, jsonCell } from './csv.ts';

/** Entries of one file. For more, export several time ranges. */
const MOST_ENTRIES = 100_000;
const PAGE_SIZE = 1_000;

const HEADER = ['id', 'at', 'actor', 'actorType', 'address', 'action', 'cellar', 'keyId', 'details'] as const;

/**
 * The audit as CSV, newest first. A page at a time is in memory; what comes while it is read is left out.
 *
 * @throws {ApiError} `invalid_request` when there is more than a file may have
 */
export async function exportAudit(
  database: Queryable,
  filter: AuditFilter,
  mostEntries = MOST_ENTRIES,
): Promise<Readable> {
  const { cellar } = filter;
  if (cellar !== undefined) await requireCellar(database, cellar);
  const values = valuesOf(filter);
  const [extent] = await database.query<{ newest: string | null; count: string }>(
    `SELECT max(id) AS newest, count(*) AS count FROM (SELECT id FROM audit WHERE ${MATCHES_FILTER} ORDER BY ${newestFirst(filter)} LIMIT $6) AS matching`,
    [...values, mostEntries + 1],
  );
  if (Number(extent?.count) > mostEntries) {
    throw new ApiError(
      'invalid_request',
      `There are more than ${mostEntries} entries. Narrow the range with from and to.`,
    );
  }

  async function* pages(): AsyncGenerator<string> {
    yield csvLine(HEADER);
    let next = extent?.newest ?? null;
    while (next !== null) {
      const rows: { id: string }[] = await database.query<{ id: string }>(
        `SELECT ${AUDIT_COLUMNS} FROM audit WHERE ${MATCHES_FILTER} AND id <= $6 ORDER BY ${newestFirst(filter)} LIMIT $7`,
        [...values, next, PAGE_SIZE],
      );
      yield rows.map((row) => csvLine(toCells(toAuditView(row)))).join('');
      const last = rows.at(-1);
      next = rows.length < PAGE_SIZE || last === undefined ? null : String(BigInt(last.id) - 1n);
    }
  }
  return Readable.from(pages());
}

function toCells(entry: AuditView): (string | null)[] {
  return HEADER.map((name) => (name === 'details' ? jsonCell(entry.details) : entry[name]));
}
