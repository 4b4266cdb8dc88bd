import uPlot from 'uplot';
import { COLUMNS, columnOf } from './align-series.ts';
import { timeLabels, valueLabels } from './axis-labels.ts';
import type { ChartSeries, TimeZone, ValueFormat } from './chart-series.ts';
import type { Palette } from './palette.ts';
import { translucent } from './palette.ts';

/** What a plot is built for. Another shape needs another plot. */
export interface PlotShape {
  series: readonly Pick<ChartSeries, 'label' | 'colour'>[];
  kind: 'lines' | 'bars';
  /** The axis of the values begins at 0, as that of bars always does. */
  isFromZero: boolean;
  /** Draws the band between minimum and maximum. */
  hasBand: boolean;
  /** Without axes and cursor. */
  isSparkline: boolean;
  format: ValueFormat;
  zone: TimeZone;
  height: number;
  /** Charts with the same key share a crosshair. */
  syncKey: string | undefined;
}

const LINE_WIDTH = 1.75;
const BAND_ALPHA = 0.18;
const FILLING_ALPHA = 0.3;
const WIDEST_BAR = 24;
/** The axes of charts below each other are of the same width, unless one has long labels. */
const LEAST_DIGITS = 6;

/**
 * @param lone for each series, the points without neighbours
 * @param isPicture the plot shows a picture of its lines instead of drawing them
 */
export function plotOptions(
  shape: PlotShape,
  palette: Palette,
  lone: () => readonly number[][],
  isPicture: () => boolean,
): Omit<uPlot.Options, 'width' | 'hooks'> {
  const { series, height, isSparkline, syncKey, zone } = shape;
  return {
    height,
    ms: 1,
    tzDate: (time) => (zone === 'utc' ? uPlot.tzDate(new Date(time), 'Etc/UTC') : new Date(time)),
    legend: { show: false },
    padding: isSparkline ? [3, 3, 3, 3] : [12, 20, 0, 0],
    scales: {
      x: { time: true, auto: false },
      // The picture fits only as long as the values keep their height.
      y: { auto: () => !isPicture(), range: (_plot, least, most) => valueRange(shape, least, most) },
    },
    series: [
      {},
      ...series.flatMap((one, index) => columnsOf(shape, palette.colour(one.colour), index, lone, isPicture)),
    ],
    bands: shape.hasBand
      ? series.map(({ colour }, index) => ({
          series: [columnOf(index, 'max'), columnOf(index, 'min')] satisfies [number, number],
          fill: translucent(palette.colour(colour), BAND_ALPHA),
        }))
      : [],
    axes: isSparkline ? [{ show: false }, { show: false }] : axes(shape, palette),
    focus: { alpha: 0.25 },
    cursor: {
      show: !isSparkline,
      y: false,
      drag: { x: true, y: false, setScale: false, dist: 4 },
      points: { size: 7, width: 0, show: shape.kind === 'lines' },
      ...(syncKey !== undefined && {
        sync: {
          key: syncKey,
          setSeries: false,
          scales: ['x', null],
          // Only the crosshair is shared: a selection in one chart is reported once.
          filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
        },
      }),
    },
  };
}

/** The columns of a series, in the order of COLUMNS. */
function columnsOf(
  { kind, hasBand }: PlotShape,
  stroke: string,
  index: number,
  lone: () => readonly number[][],
  isPicture: () => boolean,
): uPlot.Series[] {
  const none = { show: false };
  const drawn =
    kind === 'bars' ? uPlot.paths.bars?.({ align: 1, size: [0.85, WIDEST_BAR] }) : uPlot.paths.linear?.();
  const paths: uPlot.Series.PathBuilder = (...place) => (isPicture() ? null : (drawn?.(...place) ?? null));
  if (kind === 'bars') {
    const bars = { paths, stroke, points: none };
    return [
      { ...bars, width: 0, fill: stroke },
      { ...bars, width: 1.5, fill: translucent(stroke, FILLING_ALPHA) },
      none,
      none,
    ];
  }
  const filling = 1 + index * COLUMNS.length + 1;
  return [
    {
      stroke,
      width: LINE_WIDTH,
      paths,
      points: { show: true, size: 4, filter: () => (isPicture() ? [] : (lone()[index] ?? [])) },
    },
    {
      stroke,
      width: LINE_WIDTH,
      paths,
      dash: [3, 3],
      points: { show: true, size: 6, filter: (plot) => (isPicture() ? [] : lastIndex(plot.data[filling])) },
    },
    { width: 0, show: hasBand, paths, points: none },
    { width: 0, show: hasBand, paths, points: none },
  ];
}

function lastIndex(column: ArrayLike<number | null | undefined> | undefined): number[] {
  if (column === undefined) return [];
  for (let index = column.length - 1; index >= 0; index--) {
    if (typeof column[index] === 'number') return [index];
  }
  return [];
}

function valueRange(
  { kind, isFromZero, format }: PlotShape,
  least: number | null,
  most: number | null,
): [number, number] {
  if (least === null || most === null) return [0, 1];
  if (kind === 'bars' || isFromZero) return [0, most === 0 ? 1 : most * 1.08];
  // A limit that is near is shown; one that is far would flatten the lines.
  const near = (most - least) / 2;
  const low = Math.max(format.goodRange.min ?? least, least - near);
  const high = Math.min(format.goodRange.max ?? most, most + near);
  const [from, to] = uPlot.rangeNum(Math.min(low, least), Math.max(high, most), 0.08, true);
  return [from ?? least, to ?? most];
}

/** Half of a date is wider than the space beside the plot. */
const DATE_SPACE = 24;

function datesUntil({ scales, width }: uPlot): number {
  const { min = 0, max = 0 } = scales['x'] ?? {};
  return max - ((max - min) * DATE_SPACE) / width;
}

function axes({ format, zone, height }: PlotShape, { text: stroke, grid, font }: Palette): uPlot.Axis[] {
  const lines = { stroke: grid, width: 1 };
  return [
    {
      stroke,
      font,
      space: 70,
      size: 46,
      lineGap: 1.4,
      grid: { show: false },
      ticks: { ...lines, size: 5 },
      border: { show: true, ...lines },
      values: (plot, splits, _axis, _space, every) => timeLabels(splits, every, zone, datesUntil(plot)),
    },
    {
      stroke,
      font,
      space: Math.min(40, height / 5),
      grid: { ...lines, dash: [4, 4] },
      ticks: { show: false },
      values: (_plot, splits, _axis, _space, every) => valueLabels(splits, every, format.unit),
      // Labels may be null before the first layout.
      size: (_plot, labels: string[] | null) =>
        20 + 7 * Math.max(LEAST_DIGITS, ...(labels ?? []).map((label) => label.length)),
    },
  ];
}
