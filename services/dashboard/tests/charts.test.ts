import { describe, expect, it } from 'vitest';
import { alignSeries } from '../src/charts/align-series.ts';
import { describeStep, timeLabels, valueLabels } from '../src/charts/axis-labels.ts';
import type { ChartPoint } from '../src/charts/chart-series.ts';
import { findGaps, findSilences } from '../src/charts/find-gaps.ts';

const MINUTE = 60_000;
const points = (...minutes: number[]): ChartPoint[] =>
  minutes.map((minute) => ({ at: minute * MINUTE, value: minute }));
const minutes = (from: number, to: number) => ({ from: from * MINUTE, to: to * MINUTE });

describe('gaps', () => {
  it('lie where a rack usually sends, whatever the step is', () => {
    expect(findGaps(points(0, 1, 2, 9, 10), MINUTE)).toEqual([minutes(2, 9)]);
    // Every ten minutes, and once 40 minutes later.
    expect(findGaps(points(0, 10, 20, 30, 70, 80), MINUTE)).toEqual([minutes(30, 70)]);
    expect(findGaps(points(5), MINUTE)).toEqual([]);
  });

  it('are silences when they are long, and reach to the end of the range', () => {
    const range = minutes(0, 100);
    expect(findSilences(points(0, 1, 2, 40, 41, 42, 43), MINUTE, range)).toEqual([
      minutes(3, 40),
      minutes(44, 100),
    ]);
    expect(findSilences([], MINUTE, range)).toEqual([]);
    // Shorter than 3 % of the range.
    expect(findSilences(points(96, 97, 98), MINUTE, range)).toEqual([]);
  });
});

describe('series with different times', () => {
  it('pass the times of others, and have gaps of their own', () => {
    const series = [
      { label: 'a', colour: '--series-1', points: points(0, 2, 4, 20) },
      { label: 'b', colour: '--series-2', points: points(1, 2, 10, 20) },
    ] as const;
    const { data, lone } = alignSeries(series, {
      ...{ kind: 'lines', ...minutes(0, 20), step: MINUTE, fillingFrom: Infinity },
    });
    expect(data[0].map((at) => at / MINUTE)).toEqual([0, 1, 2, 4, 5, 10, 20]);
    expect(data[1]).toEqual([0, undefined, 2, 4, null, null, 20]);
    expect(data[5]).toEqual([undefined, 1, 2, undefined, undefined, 10, 20]);
    // A point between gaps would be invisible.
    expect(lone).toEqual([[6], []]);
  });

  it('mark the step that is still filling, joined to the one before', () => {
    const series = [{ label: 'a', colour: '--series-1', points: points(0, 1, 2) }] as const;
    const common = { ...minutes(0, 4), step: MINUTE, fillingFrom: 2 * MINUTE };
    const { data } = alignSeries(series, { ...common, kind: 'lines' });
    expect(data[1]).toEqual([0, 1, null]);
    expect(data[2]).toEqual([null, 1, 2]);
    const bars = alignSeries(series, { ...common, kind: 'bars' });
    expect(bars.data[2]).toEqual([null, null, 2, null, null]);
  });
});

describe('labels', () => {
  it('have the date once a day', () => {
    const at = (text: string) => Date.parse(`2026-11-${text}Z`);
    expect(timeLabels([at('21T22:00'), at('21T23:00'), at('22T00:00')], 60 * MINUTE, 'utc')).toEqual([
      '22:00\nSat 21 Nov',
      '23:00',
      '00:00\nSun 22 Nov',
    ]);
    expect(timeLabels([at('21T00:00')], 1_440 * MINUTE, 'utc')).toEqual(['Sat 21 Nov']);
    expect(timeLabels([at('21T22:00:05')], 5_000, 'utc')).toEqual(['22:00:05\nSat 21 Nov']);
    const ends = [at('21T00:00'), at('22T00:00')];
    expect(timeLabels(ends, 1_440 * MINUTE, 'utc', at('21T23:00'))).toEqual(['Sat 21 Nov', '']);
    expect(timeLabels(ends, 60 * MINUTE, 'utc', at('21T23:00'))[1]).toBe('00:00');
  });

  it('say when a step is', () => {
    const at = Date.parse('2026-11-21T23:55:00Z');
    expect(describeStep(at, 2 * MINUTE, 'utc')).toBe('Sat 21 Nov, 23:55 – 23:57 UTC');
    expect(describeStep(at, 10 * MINUTE, 'utc')).toBe('Sat 21 Nov, 23:55 – Sun 22 Nov, 00:05 UTC');
  });

  it('have the decimals of their distance, and the unit', () => {
    expect(valueLabels([10, 10.5], 0.5, '°C')).toEqual(['10.0\u00A0°C', '10.5\u00A0°C']);
    expect(valueLabels([2.5, 5], 2.5, null)).toEqual(['2.5', '5.0']);
    expect(valueLabels([0.25, 0.5], 0.25, null)).toEqual(['0.25', '0.50']);
    expect(valueLabels([0, 250_000], 50_000, null)).toEqual(['0', expect.stringMatching(/^250k$/i)]);
  });
});
