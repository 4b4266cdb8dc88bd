import { useComputedColorScheme } from '@mantine/core';
import { PLAIN } from './chart-series.ts';
import type { ChartPoint, ChartRange } from './chart-series.ts';
import { Plot } from './plot.tsx';

export interface SparklineProps extends ChartRange {
  /** For screen readers. */
  label: string;
  points: readonly ChartPoint[];
  /** In milliseconds. */
  step: number;
}

const HEIGHT = 28;

/** A series as a small line without axes. */
export function Sparkline({ points, ...props }: SparklineProps) {
  const scheme = useComputedColorScheme();
  const series = [{ label: props.label, colour: '--chart-accepted' as const, points }];
  const shape = {
    ...{ series, kind: 'lines' as const, hasBand: false, isSparkline: true },
    ...{ format: PLAIN, zone: 'local' as const, height: HEIGHT, syncKey: undefined },
  };
  return <Plot key={scheme} {...props} series={series} fillingFrom={Infinity} shape={shape} />;
}
