import { Stack, Text, Title } from '@mantine/core';
import type { ChartPoint, ChartRange, ChartSeries } from '../charts/chart-series.ts';
import { ChartTable } from '../charts/chart-table.tsx';
import { Chart } from '../charts/chart.tsx';
import { describeExactly, describeShare, plural } from '../display/describe-number.ts';
import { RANGES } from './ranges.ts';
import type { RangeName } from './ranges.ts';

export interface CountsChartsProps {
  counts: ChartRange & { points: readonly ChartPoint[]; fillingFrom: number };
  /** Undefined: loading. */
  rejected: readonly ChartPoint[] | undefined;
  range: RangeName;
}

export const READINGS_HEIGHT = 240;
const REJECTED_HEIGHT = 120;

/** Readings and rejected readings, by the time at which they were received. Each has an axis of its own. */
export function CountsCharts({ counts, rejected = [], range }: CountsChartsProps) {
  const { points, from, to, fillingFrom } = counts;
  const { label, step, stepName } = RANGES[range];
  const inRange = `in the ${label.toLowerCase()}`;
  const [total, lost] = [sumOf(points), sumOf(rejected)];
  const common = {
    ...{ kind: 'bars' as const, step: step * 1_000, from, to, fillingFrom },
    ...{ syncKey: 'overview', hasTable: false },
  };
  const readings: ChartSeries = { label: 'Readings', colour: '--chart-accepted', points };
  const rejections: ChartSeries = { label: 'Rejected', colour: '--chart-rejected', points: rejected };
  return (
    <Stack gap="xs">
      <Chart
        {...common}
        label={`${plural(total, 'reading')} ${inRange}, per ${stepName}`}
        series={[readings]}
        height={READINGS_HEIGHT}
      />
      <Title order={3} size="h6">
        Rejected per {stepName}:{' '}
        <Text span inherit fw={400} c="dimmed">
          {lost === 0 ? 'none' : describeShare(lost, total + lost)} {inRange}
        </Text>
      </Title>
      <Chart
        {...common}
        label={`${describeExactly(lost)} rejected ${inRange}, per ${stepName}`}
        series={[rejections]}
        height={REJECTED_HEIGHT}
      />
      <Text size="xs" c="dimmed">
        Gap: no readings received. Outlined bar: interval not complete.
      </Text>
      <ChartTable
        label={`Readings per ${stepName}`}
        series={[readings, rejections]}
        fillingFrom={fillingFrom}
        timeHeading="Start"
      />
    </Stack>
  );
}

export function sumOf(points: readonly ChartPoint[]): number {
  return points.reduce((sum, { value }) => sum + value, 0);
}
