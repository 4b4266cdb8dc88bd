import type { Change } from '@cellarman/contracts';
import type { Queryable } from '../postgres/database.ts';
import { EPOCH } from './epoch.ts';

export interface ChangesPage {
  epoch: string;
  /** The number of the last change of all. */
  current: number;
  /** The last number in this page; the current one if it is the last page. */
  number: number;
  /** False when changes after the given number are no longer there, or the number lies in the future. */
  complete: boolean;
  /** Whether another page follows. */
  more: boolean;
  changes: Change[];
}

interface Row {
  epoch: string;
  current: string;
  oldest: string | null;
  number: string | null;
  kind: 'key' | 'cellar' | null;
  hash: string | null;
  cellar: string | null;
}

const CHANGES_PAGE_SIZE = 1_000;

/** The feed of changes. A page is read by one statement, so it is one snapshot. */
export function createChangesRepository(database: Queryable, pageSize = CHANGES_PAGE_SIZE) {
  return {
    /** @param after the last number that the caller has; -1 only returns the current one */
    async after(after: number): Promise<ChangesPage> {
      const rows = await database.query<Row>(
        `SELECT ${EPOCH} AS epoch, counter.value AS current,
                (SELECT min(number) FROM changes) AS oldest,
                page.number, page.kind, encode(page.hash, 'hex') AS hash, page.cellar
         FROM counter
         LEFT JOIN LATERAL (
           SELECT * FROM changes
           WHERE $1::bigint >= 0 AND changes.number > $1::bigint
           ORDER BY changes.number
           LIMIT $2::int
         ) AS page ON true
         ORDER BY page.number`,
        [after, pageSize],
      );
      const [first] = rows;
      if (first === undefined) throw new Error('the table counter is empty');
      return toPage(first, rows, after);
    },

    /**
     * Deletes what is older than the given time, from the front. Age decides about a number, not about a row: the
     * time of a row is that of the start of its transaction, and those do not follow the numbers.
     */
    async prune(keepHours: number): Promise<void> {
      await database.query(
        `DELETE FROM changes
         WHERE number <= (SELECT max(number) FROM changes WHERE at < now() - make_interval(hours => $1::int))`,
        [keepHours],
      );
    },
  };
}

export type ChangesRepository = ReturnType<typeof createChangesRepository>;

function toPage(first: Row, rows: readonly Row[], after: number): ChangesPage {
  const { epoch } = first;
  const current = Number(first.current);
  const oldest = first.oldest === null ? current + 1 : Number(first.oldest);
  if (after < 0) return { epoch, current, number: current, complete: true, more: false, changes: [] };
  if (after > current || after < oldest - 1) {
    return { epoch, current, number: current, complete: false, more: false, changes: [] };
  }
  const changes = rows.filter((row) => row.number !== null).map(toChange);
  const number = changes.at(-1)?.number ?? current;
  return { epoch, current, number, complete: true, more: number < current, changes };
}

function toChange(row: Row): Change {
  const number = Number(row.number);
  return row.kind === 'cellar'
    ? { number, kind: 'cellar', cellar: String(row.cellar) }
    : { number, kind: 'key', hash: String(row.hash) };
}
