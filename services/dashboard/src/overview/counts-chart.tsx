import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { Paper, Stack, Text } from '@mantine/core';
import { describeExactly, describeShortly, plural } from '../display/describe-number.ts';
import { axisTicks, describeTick } from './axis-time.ts';
import { describeClock, describeUtc } from '../display/time/describe-time.ts';
import { CountsTable } from './counts-table.tsx';
import type { Bar } from './fill-buckets.ts';
import { RANGES } from './ranges.ts';
import type { RangeName } from './ranges.ts';

export interface CountsChartProps {
  bars: readonly Bar[];
  range: RangeName;
  height: number;
}

const SERIES = [
  { name: 'complete', label: 'Readings', color: 'var(--chart-accepted)' },
  { name: 'stillFilling', label: 'Still filling', color: 'var(--chart-filling)' },
  { name: 'rejected', label: 'Rejected', color: 'var(--chart-rejected)' },
];

/** Readings by the time at which they were received. A gap is a step without known readings. */
export function CountsChart({ bars, range, height }: CountsChartProps) {
  const { stepName } = RANGES[range];
  const total = bars.reduce((sum, bar) => sum + (readingsOf(bar) ?? 0), 0);
  return (
    <Stack gap="xs">
      <div
        role="img"
        aria-label={`${plural(total, 'reading')} in the ${RANGES[range].label.toLowerCase()}, per ${stepName}. The same data is in the table below.`}
      >
        <BarChart
          h={height}
          data={bars.map((bar) => ({ ...bar }))}
          dataKey="at"
          type="stacked"
          series={SERIES}
          gridAxis="x"
          tickLine="none"
          maxBarWidth={24}
          barChartProps={{ accessibilityLayer: false, barCategoryGap: '15%' }}
          barProps={{ isAnimationActive: false }}
          xAxisProps={{
            ticks: axisTicks(bars, range),
            tickFormatter: (at: number) => describeTick(at, range),
            interval: 'preserveStart',
            minTickGap: 12,
          }}
          yAxisProps={{ allowDecimals: false, width: 48 }}
          valueFormatter={describeShortly}
          tooltipAnimationDuration={0}
          tooltipProps={{
            content: ({ payload }) => (
              <BarTooltip bar={payload[0]?.payload as Bar | undefined} step={RANGES[range].step} />
            ),
          }}
        />
      </div>
      <Text size="xs" c="dimmed">
        Gaps: no readings received. Last bar: still filling. Orange: rejected.
      </Text>
      <CountsTable bars={bars} stepName={stepName} />
    </Stack>
  );
}

/** @param step in seconds */
function BarTooltip({ bar, step }: { bar: Bar | undefined; step: number }) {
  if (bar === undefined) return null;
  const at = new Date(bar.at);
  const now = new Date();
  const end = new Date(bar.at + step * 1_000);
  const readings = readingsOf(bar);
  return (
    <Paper withBorder p="xs">
      <Text size="sm" fw={600}>
        {readings === null ? 'No readings received' : plural(readings, 'reading')}
        {bar.stillFilling !== null && ', still filling'}
      </Text>
      {bar.rejected !== null && <Text size="sm">{describeExactly(bar.rejected)} rejected</Text>}
      <Text size="xs" c="dimmed">
        {describeClock(at, now)} – {describeClock(end, now)}
      </Text>
      <Text size="xs" c="dimmed">
        {describeUtc(at)}
      </Text>
    </Paper>
  );
}

function readingsOf({ complete, stillFilling }: Bar): number | null {
  return complete ?? stillFilling;
}
