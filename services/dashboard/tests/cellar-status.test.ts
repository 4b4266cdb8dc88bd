import { expect, test } from 'vitest';
import { cellarStatus, rejectedShare } from '../src/cellars/cellar-status.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const MINUTE = 60_000;
const after = (minutes: number, silentRacks = 0) => ({
  ...{ readingsLastHour: 990, silentRacks, hours: [] },
  lastReadingAt: new Date(NOW - minutes * MINUTE).toISOString(),
});

test.each([
  ['ok', 'Receiving', after(1), 0],
  ['ok', 'Receiving', after(1), 9],
  ['warn', 'Racks silent', after(1, 2), 0],
  ['bad', 'Rejecting', after(1), 110],
  ['bad', 'Silent', after(20), 0],
  ['idle', 'Inactive', after(25 * 60), 0],
  ['idle', 'No readings', { ...after(0), readingsLastHour: 0, lastReadingAt: null }, 0],
  ['bad', 'Rejecting', { ...after(0), readingsLastHour: 0, lastReadingAt: null }, 3],
] as const)('a cellar is %s: %s', (kind, word, activity, rejected) => {
  expect(cellarStatus(activity, rejected, NOW)).toMatchObject({ kind, word });
});

test('silent racks are named beside another problem', () => {
  const silentRacks = '2 racks silent for over 15 minutes';
  expect(cellarStatus(after(1, 2), 110, NOW)).toMatchObject({ word: 'Rejecting', silentRacks });
  expect(cellarStatus(after(1, 0), 110, NOW)).not.toHaveProperty('silentRacks');
  expect(cellarStatus(after(25 * 60, 2), 0, NOW)).not.toHaveProperty('silentRacks');
});

test('the share is of all that arrived', () => {
  expect(rejectedShare(110, after(1))).toBe(0.1);
  expect(rejectedShare(0, { ...after(1), readingsLastHour: 0 })).toBe(0);
});
