import type { ClickHouse } from '@cellarman/clickhouse';
import type { Batch } from '../batch/batch.ts';
import { TABLES } from '../tables.ts';
import { insertLines } from './insert-lines.ts';
import { isBadData } from './is-bad-data.ts';
import { isolateBadRows, keptRanges } from './isolate-bad-rows.ts';
import type { RefusedRow } from './isolate-bad-rows.ts';
import { REBUILD_CHECK_TABLE } from '../migrate/migrations.ts';
import type { Streak } from '../batch/bad-row-streak.ts';

export interface InsertOutcome {
  refused: RefusedRow[];
  /** How the streak of refused rows stands after this batch. */
  streak: Streak;
}

/**
 * Inserts the rows of a batch, all at once or, if ClickHouse refuses some, all the others at once.
 *
 * It may be repeated as a whole: a row that is inserted twice is one in the view.
 *
 * @throws {SchemaFault} when too many rows in a row are refused
 * @throws when ClickHouse cannot take the rows now
 */
export async function insertBatch(
  clickhouse: ClickHouse,
  batch: Batch,
  options: { streak: Streak; signal: AbortSignal },
): Promise<InsertOutcome> {
  const { signal } = options;
  const streak = options.streak.fork();
  if (batch.rows === 0) return { refused: [], streak };
  const insert = (table: string, lines: Buffer, rows: number) =>
    insertLines(clickhouse, { table, lines, rows, signal });

  let refusal: Error;
  try {
    await insert(TABLES.stored, batch.lines(), batch.rows);
    streak.good();
    return { refused: [], streak };
  } catch (error) {
    if (!isBadData(error)) throw error;
    refusal = error;
  }

  const refused = await isolateBadRows({
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
  if (refused.length === 0) {
    // Somebody altered the stored table. The next try looks for the bad rows with the same rules.
    await clickhouse.command({ query: REBUILD_CHECK_TABLE });
    throw new Error(`${TABLES.stored} refuses what ${TABLES.check} takes: ${refusal.message}`, {
      cause: refusal,
    });
  }
  const kept = keptRanges(batch.rows, refused);
  if (kept.length > 0) {
    const lines = Buffer.concat(kept.map(([first, end]) => batch.lines(first, end)));
    await insert(TABLES.stored, lines, batch.rows - refused.length);
  }
  return { refused, streak };
}
