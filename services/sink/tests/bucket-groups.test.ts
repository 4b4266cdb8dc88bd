import { expect, test } from 'vitest';
import { groupsOf, isInPart } from '../src/verify-hours/bucket-groups.ts';

const tally = (count: number, { xor = '1', invalid = 0 } = {}) => ({ count, xor, invalid });
const noRows = { of: () => ({ rows: 0, xor: '0' }) };

test('buckets that differ are compared in groups that fit into memory', () => {
  const tallies = [tally(0, { xor: '0' }), tally(4), tally(6), tally(1), tally(0, { xor: '0', invalid: 2 })];
  expect(groupsOf(tallies, noRows, 10)).toEqual([
    { buckets: [1, 2], part: 0, parts: 1 },
    { buckets: [3, 4], part: 0, parts: 1 },
  ]);
});

test('a bucket that does not fit is compared in parts, and each reading is in one of them', () => {
  const groups = groupsOf([tally(3), tally(25), tally(3)], noRows, 10);
  expect(groups.filter(({ buckets }) => buckets.includes(1))).toHaveLength(3);
  expect(groups.filter(({ parts }) => parts === 1)).toEqual([{ buckets: [0, 2], part: 0, parts: 1 }]);
  for (let first = 0; first < 256; first++) {
    const identity = String.fromCharCode(first, 255 - first, 7, 0);
    expect(
      groups.filter(({ buckets }) => buckets.includes(1)).map((group) => isInPart(identity, group)),
    ).toContain(true);
    expect(groups.filter((group) => group.parts === 3 && isInPart(identity, group))).toHaveLength(1);
  }
});

test('rows that the topic lacks make a bucket large too', () => {
  const groups = groupsOf([tally(0, { xor: '0' })], { of: () => ({ rows: 25, xor: '9' }) }, 10);
  expect(groups.map(({ part }) => part)).toEqual([0, 1, 2]);
});
