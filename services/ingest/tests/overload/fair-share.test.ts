import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairShare } from '../../src/shed-load/fair-share.ts';

const LIMIT = 100;

function fill(share: ReturnType<typeof createFairShare>, owner: string, most: number): number {
  let taken = 0;
  while (taken < most && share.hasRoom(owner, LIMIT)) {
    share.take(owner);
    taken++;
  }
  return taken;
}

describe('slots', () => {
  it('are all for one who is alone', () => {
    expect(fill(createFairShare(), 'flood', 1_000)).toBe(LIMIT);
  });

  it('are kept for those who have fewer than their share', () => {
    const slots = createFairShare();
    fill(slots, 'flood', 1_000);
    expect(fill(slots, 'good', 10)).toBe(10);
    expect(slots.hasRoom('flood', LIMIT)).toBe(false);
    // Slots that the flood releases go to others first.
    for (let n = 0; n < 10; n++) slots.release('flood');
    expect(slots.hasRoom('flood', LIMIT)).toBe(false);
    slots.release('flood');
    expect(slots.hasRoom('flood', LIMIT)).toBe(true);
  });

  it('end, regardless of the caller', () => {
    const slots = createFairShare();
    let taken = 0;
    for (let owner = 0; owner < 1_000; owner++) taken += fill(slots, `key-${owner}`, 1);
    expect(taken).toBe(LIMIT * 1.25);
  });

  it('come to an even share for each who wants it, while a flood takes every one that it can', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.infiniteStream(fc.nat()), (good, chance) => {
        const slots = createFairShare();
        const holders: string[] = [];
        const tryTake = (owner: string) => {
          if (!slots.hasRoom(owner, LIMIT)) return false;
          slots.take(owner);
          holders.push(owner);
          return true;
        };
        while (tryTake('flood'));
        const rejected = new Map<string, number>();
        for (let turn = 0; turn < 2_000; turn++) {
          const left = (chance.next().value as number) % holders.length;
          slots.release(holders.splice(left, 1)[0] as string);
          const owner = `good-${turn % good}`;
          const held = holders.filter((holder) => holder === owner).length;
          // Each wants half of its even share.
          if (held < LIMIT / (good + 1) / 2 && !tryTake(owner))
            rejected.set(owner, (rejected.get(owner) ?? 0) + 1);
          while (tryTake('flood'));
        }
        expect([...rejected]).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
