import { expect, it } from 'vitest';
import { startOffset } from '../src/consumer/start-offsets.ts';

const log = { low: 100n, high: 200n };

it.each([
  ['the beginning of the log when nothing was ever committed', -1n, 100n],
  ['the beginning of the log when the group is new', undefined, 100n],
  ['the committed offset', 150n, 150n],
  ['the committed offset at the very beginning', 100n, 100n],
  ['the committed offset at the very end', 200n, 200n],
  ['the committed offset beyond the end, which the leader may tell too low', 205n, 205n],
])('begins at %s', (_, committed, start) => {
  expect(startOffset(3, committed, log)).toBe(start);
});

it.each([
  ['records were deleted unread', 40n, '60 records were deleted unread'],
  ['kafkajs has reset the group by itself', -2n, 'kafkajs has reset it'],
])('does not begin when %s', (_, committed, words) => {
  expect(() => startOffset(3, committed, log)).toThrow(
    expect.objectContaining({
      code: 'offset_out_of_range',
      message: expect.stringContaining(words) as string,
    }),
  );
});
