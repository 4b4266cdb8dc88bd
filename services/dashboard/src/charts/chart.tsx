import { useComputedColorScheme } from '@mantine/core';
import { ChartTable } from './chart-table.tsx';
import type { ChartRange, ChartSeries, TimeZone, ValueFormat } from './chart-series.ts';
import { PLAIN } from './chart-series.ts';
import classes from './chart.module.css';
import { Plot } from './plot.tsx';

export interface ChartProps extends ChartRange {
  /** For screen readers: what the chart shows. */
  label: string;
  series: readonly ChartSeries[];
  /** @default 'lines' */
  kind?: 'lines' | 'bars';
  /** The axis of the values begins at 0. @default false */
  isFromZero?: boolean;
  /** In milliseconds. */
  step: number;
  /** Steps from here on may receive more readings, in milliseconds since 1970. @default none */
  fillingFrom?: number;
  /** @default plain numbers */
  format?: ValueFormat;
  /** @default 'local' */
  zone?: TimeZone;
  /** In pixels. */
  height: number;
  /** Charts with the same key share a crosshair. */
  syncKey?: string;
  /** Called with the range that was selected by dragging. Without it, dragging does nothing. */
  onZoom?: (range: ChartRange) => void;
  /** Called on a double click. */
  onZoomOut?: () => void;
  /** The index of the series to emphasize. */
  focused?: number | null;
  /** The heading of the times in the table. @default 'Time' */
  timeHeading?: string;
  /** False: the page has a table of several charts. @default true */
  hasTable?: boolean;
}

/**
 * Series over time: lines with a band from minimum to maximum, or bars. Gaps are gaps; silences are shaded; steps that are
 * still filling are dashed. A crosshair shows all values, dragging selects a range, and a table has the same data.
 */
export function Chart(props: ChartProps) {
  const { label, series, kind = 'lines', format = PLAIN, zone = 'local', height, syncKey } = props;
  const { hasTable = true, isFromZero = false } = props;
  const scheme = useComputedColorScheme();
  const shape = {
    series: series.map(({ label: name, colour }) => ({ label: name, colour })),
    kind,
    isFromZero,
    hasBand: series.some(({ points }) => points.some(({ min }) => min !== undefined)),
    isSparkline: false,
    format,
    zone,
    height,
    syncKey,
  };
  return (
    <figure className={classes.figure}>
      <Plot
        // Another shape or scheme needs another plot.
        key={JSON.stringify([shape, scheme])}
        {...props}
        fillingFrom={props.fillingFrom ?? Infinity}
        shape={shape}
        label={`${label}. The same data is in the table below.`}
      />
      {hasTable && <ChartTable {...props} zone={zone} format={format} />}
    </figure>
  );
}
