import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isolateBadRows, keptRanges } from '../src/store/isolate-bad-rows.ts';
import { createStreak, SchemaFault } from '../src/batch/bad-row-streak.ts';

async function isolate(rows: number, bad: ReadonlySet<number>, limit = 0) {
  const asked: [number, number][] = [];
  const rejected = await isolateBadRows({
    rows,
    streak: createStreak(limit),
    check: async (first, end) => {
      asked.push([first, end]);
      for (let row = first; row < end; row++) if (bad.has(row)) return `row ${row} is bad`;
      return undefined;
    },
  });
  return { asked, rejected };
}

describe('isolating bad rows', () => {
  it('finds exactly the bad rows, in order, and keeps all others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.uniqueArray(fc.nat(299)),
        async (rows, wanted) => {
          const bad = new Set(wanted.filter((row) => row < rows));
          const { rejected } = await isolate(rows, bad);
          expect(rejected.map(({ row }) => row)).toEqual([...bad].sort((a, b) => a - b));
          const kept = keptRanges(rows, rejected).flatMap(([first, end]) =>
            Array.from({ length: end - first }, (_, index) => first + index),
          );
          expect(kept).toEqual(Array.from({ length: rows }, (_, row) => row).filter((row) => !bad.has(row)));
        },
      ),
    );
  });

  it('gives each its own reason', async () => {
    const { rejected } = await isolate(8, new Set([2, 5]));
    expect(rejected).toEqual([
      { row: 2, reason: 'row 2 is bad' },
      { row: 5, reason: 'row 5 is bad' },
    ]);
  });

  it('finds one bad row among 50,000 with no more than 35 checks', async () => {
    const { asked } = await isolate(50_000, new Set([31_415]));
    expect(asked.length).toBeLessThanOrEqual(35);
  });

  it('gives up above the limit, before it has looked at all rows', async () => {
    const all = new Set(Array.from({ length: 1_000 }, (_, row) => row));
    await expect(isolate(1_000, all, 10)).rejects.toThrow(SchemaFault);
  });

  it('goes on when good rows stand between the bad ones', async () => {
    const every = new Set(Array.from({ length: 100 }, (_, index) => index * 2));
    const { rejected } = await isolate(200, every, 1);
    expect(rejected).toHaveLength(100);
  });
});
