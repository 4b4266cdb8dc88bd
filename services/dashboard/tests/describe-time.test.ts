import { describe, expect, it } from 'vitest';
import {
  describeClock,
  describeDistance,
  describeLocal,
  describeUtc,
} from '../src/display/time/describe-time.ts';

const NOW = Date.parse('2026-11-21T06:30:00Z');
const SECOND = 1_000;
const DAY = 86_400 * SECOND;

describe('a time', () => {
  it.each([
    [0, 'just now'],
    [-1 * SECOND, 'just now'],
    [-59 * SECOND, '59 s ago'],
    [-60 * SECOND, '1 min ago'],
    [-3_599 * SECOND, '59 min ago'],
    [-47 * 3_600 * SECOND, '47 h ago'],
    [-2 * DAY, '2 days ago'],
    [-90 * DAY, '2 months ago'],
    [-800 * DAY, '2 years ago'],
    [30 * DAY, 'in 30 days'],
    [3 * DAY - SECOND, 'in 3 days'],
    [90 * DAY, 'in 3 months'],
    [3_599 * SECOND, 'in 1 h'],
    [80 * SECOND, 'in 1 min'],
    [730 * DAY, 'in 2 years'],
  ])('%i ms from now reads "%s"', (distance, words) => {
    expect(describeDistance(NOW + distance, NOW)).toBe(words);
  });

  it.each([
    ['2026-11-21T05:05:40Z', '10:35'],
    ['2026-11-20T18:30:00Z', '00:00'],
    ['2026-11-20T18:29:59Z', 'Fri 20 Nov, 23:59'],
    ['2026-11-14T06:30:00Z', 'Sat 14 Nov, 12:00'],
  ])('%s is "%s" on the clock, with the day unless it is today', (at, words) => {
    expect(describeClock(new Date(at), new Date(NOW), 'Asia/Kolkata')).toBe(words);
  });

  it('is shown in the zone of the reader and in UTC', () => {
    const at = new Date('2026-11-21T23:30:05Z');
    expect(describeLocal(at, 'Asia/Kolkata')).toBe('Sun, 22 Nov 2026, 05:00:05');
    expect(describeUtc(at)).toBe('Sat, 21 Nov 2026, 23:30:05 UTC');
  });
});
