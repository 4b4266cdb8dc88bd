import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOffsetTracker } from '../src/consume/offset-tracker.ts';

describe('the offset tracker', () => {
  it('offers nothing before the first range is stored', () => {
    const tracker = createOffsetTracker();
    const first = { partition: 0, first: 10, last: 19 };
    const second = { partition: 0, first: 20, last: 29 };
    tracker.open(first);
    tracker.open(second);
    tracker.close(second);
    expect(tracker.takeCommittable()).toEqual(new Map());
    tracker.close(first);
    expect(tracker.takeCommittable()).toEqual(new Map([[0, 30]]));
  });

  it('offers each offset once', () => {
    const tracker = createOffsetTracker();
    const range = { partition: 3, first: 0, last: 0 };
    tracker.open(range);
    tracker.close(range);
    expect(tracker.takeCommittable()).toEqual(new Map([[3, 1]]));
    expect(tracker.takeCommittable()).toEqual(new Map());
  });

  it('keeps partitions apart', () => {
    const tracker = createOffsetTracker();
    const slow = { partition: 0, first: 0, last: 9 };
    const fast = { partition: 1, first: 5, last: 7 };
    tracker.open(slow);
    tracker.open(fast);
    tracker.close(fast);
    expect(tracker.takeCommittable()).toEqual(new Map([[1, 8]]));
  });

  it('rejects messages that it has seen', () => {
    const tracker = createOffsetTracker();
    tracker.open({ partition: 0, first: 10, last: 19 });
    expect(() => tracker.open({ partition: 0, first: 19, last: 25 })).toThrow(/went back/);
  });

  it('never offers an offset with something before it that is not stored', () => {
    const schedule = fc
      .array(fc.nat(20), { minLength: 1, maxLength: 20 })
      .chain((gaps) => fc.tuple(fc.constant(gaps), fc.shuffledSubarray([...gaps.keys()])));
    fc.assert(
      fc.property(schedule, ([gaps, finished]) => {
        const tracker = createOffsetTracker();
        let offset = 0;
        const ranges = gaps.map((gap) => {
          const range = { partition: 0, first: offset + gap, last: offset + gap + 5 };
          offset = range.last + 1;
          tracker.open(range);
          return range;
        });
        const done = new Set<number>();
        let committed = 0;
        for (const index of finished) {
          const range = ranges[index];
          if (range === undefined) continue;
          tracker.close(range);
          done.add(index);
          committed = tracker.takeCommittable().get(0) ?? committed;
          const before = ranges.filter(({ last }) => last < committed);
          expect(before.every((_, position) => done.has(position))).toBe(true);
        }
        const firstMissing = ranges.findIndex((_, index) => !done.has(index));
        // And it offers all that may be committed.
        const lastStored = ranges.at(firstMissing === -1 ? -1 : firstMissing - 1);
        expect(committed).toBe(firstMissing === 0 ? 0 : (lastStored?.last ?? 0) + 1);
      }),
    );
  });
});
