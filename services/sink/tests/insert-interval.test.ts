import { expect, test } from 'vitest';
import { insertInterval } from '../src/consume/insert-interval.ts';

const bounds = { minMs: 150, maxMs: 600 };

test.each([
  ['few readings wait as long as they may', { messages: 8, gatheredMs: 150, insertMs: 20 }, 600],
  ['many do not wait for more', { messages: 750, gatheredMs: 150, insertMs: 35 }, 150],
  ['in between an insert becomes worth its cost', { messages: 300, gatheredMs: 300, insertMs: 22 }, 220],
  ['where inserts are cheap, they come sooner', { messages: 30, gatheredMs: 600, insertMs: 1.5 }, 300],
  ['before an insert has been measured, none waits', { messages: 1, gatheredMs: 600, insertMs: 0 }, 150],
])('%s', (_title, last, expected) => {
  expect(insertInterval(last, bounds)).toBe(expected);
});
