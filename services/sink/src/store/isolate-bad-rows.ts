import type { Streak } from '../batch/bad-row-streak.ts';

export interface RejectedRow {
  row: number;
  reason: string;
}

/**
 * Finds the rows that ClickHouse rejects, by halves: b bad rows among n cost about 2·b·log2(n) checks, each smaller than
 * the one before it. From left to right, so that a streak of bad rows ends the search early.
 *
 * @param check says why it rejects the rows from `first` up to, but without, `end`, or undefined if it takes them all
 */
export async function isolateBadRows(options: {
  rows: number;
  check: (first: number, end: number) => Promise<string | undefined>;
  streak: Streak;
}): Promise<RejectedRow[]> {
  const { rows, check, streak } = options;
  const rejected: RejectedRow[] = [];

  async function search(first: number, end: number): Promise<void> {
    const reason = await check(first, end);
    if (reason === undefined) {
      streak.good();
      return;
    }
    if (end - first === 1) {
      rejected.push({ row: first, reason });
      streak.bad(reason);
      return;
    }
    const middle = first + Math.floor((end - first) / 2);
    await search(first, middle);
    await search(middle, end);
  }

  if (rows > 0) await search(0, rows);
  return rejected;
}

/** The stretches between the rejected rows, as [first, end). */
export function keptRanges(rows: number, rejected: readonly RejectedRow[]): [number, number][] {
  const kept: [number, number][] = [];
  let first = 0;
  for (const { row } of [...rejected, { row: rows }]) {
    if (row > first) kept.push([first, row]);
    first = row + 1;
  }
  return kept;
}
