import type uPlot from 'uplot';
import type { ChartRange, ChartSeries } from './chart-series.ts';
import { findGaps } from './find-gaps.ts';

/** The columns of each series, in this order behind the times. */
export const COLUMNS = ['value', 'filling', 'max', 'min'] as const;
/** null: a gap. undefined: nothing at this time, the line passes. */
type Column = (number | null | undefined)[];

export interface AlignOptions extends ChartRange {
  kind: 'lines' | 'bars';
  /** In milliseconds. */
  step: number;
  /** Steps from here on may receive more readings. */
  fillingFrom: number;
}

/** Returns the index of a column of a series. */
export function columnOf(series: number, column: (typeof COLUMNS)[number]): number {
  return 1 + series * COLUMNS.length + COLUMNS.indexOf(column);
}

/** Returns the series as columns over all their times, as uPlot draws them, and the points without neighbours. */
export function alignSeries(
  all: readonly ChartSeries[],
  { kind, step, from, to, fillingFrom }: AlignOptions,
): { data: uPlot.AlignedData; lone: number[][] } {
  const gaps = all.map(({ points }) => (kind === 'bars' ? [] : findGaps(points, step)));
  const times = [
    ...new Set([
      ...all.flatMap(({ points }) => points.map(({ at }) => at)),
      // A gap needs a time of its own to be drawn.
      ...gaps.flat().map((gap) => gap.from + step),
      // The crosshair stops at every step, with or without a bar.
      ...(kind === 'bars' ? stepsWithin(from, to, step) : []),
    ]),
  ].toSorted((a, b) => a - b);
  const indexes = new Map(times.map((time, index) => [time, index]));
  const indexOf = (time: number) => indexes.get(time) ?? 0;

  const lone: number[][] = [];
  const columns = all.flatMap(({ points }, series) => {
    const column = (): Column => times.map(() => (kind === 'bars' ? null : undefined));
    const [value, filling, max, min] = [column(), column().fill(null), column(), column()];
    for (const point of points) {
      const index = indexOf(point.at);
      const isFilling = point.at >= fillingFrom;
      value[index] = isFilling ? null : point.value;
      if (isFilling) filling[index] = point.value;
      max[index] = point.max ?? null;
      min[index] = point.min ?? null;
    }
    for (const gap of gaps[series] ?? []) {
      const between = [indexOf(gap.from) + 1, indexOf(gap.to)] as const;
      for (const gapped of [value, max, min]) gapped.fill(null, ...between);
    }
    if (kind === 'lines') joinFilling(value, filling);
    lone.push(findLone(value));
    return [value, filling, max, min];
  });
  return { data: [times, ...columns], lone };
}

function stepsWithin(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** A dashed line leads from the last complete step to the one that is still filling, unless there is a gap. */
function joinFilling(value: Column, filling: Column): void {
  const first = filling.findIndex((one) => typeof one === 'number');
  if (first === -1) return;
  let previous = first - 1;
  while (value[previous] === undefined && previous >= 0) previous -= 1;
  if (typeof value[previous] !== 'number') return;
  filling[previous] = value[previous];
  filling.fill(undefined, previous + 1, first);
}

/** Returns the indexes of the points between two gaps, which a line would not show. */
function findLone(value: Column): number[] {
  const known = value.flatMap((one, index) => (one === undefined ? [] : [{ one, index }]));
  return known.flatMap(({ one, index }, place) =>
    typeof one === 'number' &&
    typeof known[place - 1]?.one !== 'number' &&
    typeof known[place + 1]?.one !== 'number'
      ? [index]
      : [],
  );
}
