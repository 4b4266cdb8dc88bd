import type { ClickHouse } from '@cellarman/clickhouse';
import type { Batch } from '../batch/batch.ts';
import { TABLES } from '../tables.ts';
import { insertLines } from './insert-lines.ts';
import { isBadData } from './is-bad-data.ts';
import { isolateBadRows, keptRanges } from './isolate-bad-rows.ts';
import type { RejectedRow } from './isolate-bad-rows.ts';
import { REBUILD_CHECK_TABLE } from '../migrate/migrations.ts';
import type { Streak } from '../batch/bad-row-streak.ts';

export interface InsertOutcome {
  rejected: RejectedRow[];
  /** How the streak of rejected rows stands after this batch. */
  streak: Streak;
}

/**
 * Inserts the rows of a batch in one INSERT or, if ClickHouse rejects some, the other rows in one INSERT.
 *
 * It may be repeated as a whole: a row that is inserted twice is one in the view.
 *
 * @throws {SchemaFault} when too many rows in a row are rejected
 * @throws when ClickHouse cannot take the rows now
 */
export async function insertBatch(
  clickhouse: ClickHouse,
  batch: Batch,
  options: { streak: Streak; signal: AbortSignal },
): Promise<InsertOutcome> {
  const { signal } = options;
  const streak = options.streak.fork();
  if (batch.rows === 0) return { rejected: [], streak };
  const insert = (table: string, lines: Buffer, rows: number) =>
    insertLines(clickhouse, { table, lines, rows, signal });

  let rejection: Error;
  try {
    await insert(TABLES.stored, batch.lines(), batch.rows);
    streak.good();
    return { rejected: [], streak };
  } catch (error) {
    if (!isBadData(error)) throw error;
    rejection = error;
  }

  const rejected = await isolateBadRows({
    rows: batch.rows,
    streak,
    async check(first, end) {
      try {
        await insert(TABLES.check, batch.lines(first, end), end - first);
        return undefined;
      } catch (error) {
        if (isBadData(error)) return error.message;
        throw error;
      }
    },
  });
  if (rejected.length === 0) {
    // The stored table was altered. The next attempt looks for the bad rows with the same constraints.
    await clickhouse.command({ query: REBUILD_CHECK_TABLE });
    throw new Error(`${TABLES.stored} rejects what ${TABLES.check} takes: ${rejection.message}`, {
      cause: rejection,
    });
  }
  const kept = keptRanges(batch.rows, rejected);
  if (kept.length > 0) {
    const lines = Buffer.concat(kept.map(([first, end]) => batch.lines(first, end)));
    await insert(TABLES.stored, lines, batch.rows - rejected.length);
  }
  return { rejected, streak };
}
