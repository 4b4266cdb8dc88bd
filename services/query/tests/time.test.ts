import { describe, expect, test } from 'vitest';
import { stepFor } from '../src/series/steps.ts';
import { toClickHouse, toMilliseconds } from '../src/time/instant.ts';
import { toTimeRange } from '../src/time/range.ts';

describe('times in a URL', () => {
  test.each([
    ['2026-11-21T06:30:00Z', '2026-11-21 06:30:00.000000000', 1_795_242_600_000],
    ['2026-11-21T06:30:00.57Z', '2026-11-21 06:30:00.570000000', 1_795_242_600_570],
    ['2024-02-29T23:59:59.999999999Z', '2024-02-29 23:59:59.999999999', 1_709_251_199_999],
    ['1900-01-01T00:00:00Z', '1900-01-01 00:00:00.000000000', -2_208_988_800_000],
  ])('%s', (instant, text, milliseconds) => {
    expect(toClickHouse('from', instant)).toBe(text);
    expect(toMilliseconds('from', instant)).toBe(milliseconds);
  });

  test.each([
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '1899-12-31T23:59:59Z',
    '',
  ])('%s is none', (instant) =>
    expect(() => toClickHouse('from', instant)).toThrow('from must be a valid time'),
  );

  test('stand the right way round, to the last digit', () => {
    const time = (fraction: string) => `2026-11-21T06:30:00${fraction}Z`;
    expect(toTimeRange({ from: time('.5'), to: time('.500000001') })).toEqual({
      from: '2026-11-21 06:30:00.500000000',
      to: '2026-11-21 06:30:00.500000001',
    });
    expect(toTimeRange({})).toEqual({});
    for (const [from, to] of [
      ['.5', '.50'],
      ['.51', '.5'],
      ['.000000001', ''],
    ] as const) {
      expect(() => toTimeRange({ from: time(from), to: time(to) })).toThrow('from must be before to');
    }
  });
});

describe('steps of a chart', () => {
  const DAY = 86_400_000;
  test.each([
    [DAY, 500, 300_000],
    [DAY, 1_441, 60_000],
    [3_600_000, 500, 10_000],
    [1, 2, 1],
    [3_650 * DAY, 500, 8 * DAY],
    [3_650 * DAY, 2, 3_650 * DAY],
  ])('%i ms in %i points: %i ms', (rangeMs, points, step) => {
    expect(stepFor({ rangeMs, points })).toBe(step);
    // Wherever the range begins, it touches no more steps than that.
    expect(Math.floor(rangeMs / step) + 1).toBeLessThanOrEqual(points);
  });
});
