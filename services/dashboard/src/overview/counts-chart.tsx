import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { Paper, Stack, Text } from '@mantine/core';
import { describeExactly, describeShortly, plural } from '../display/describe-number.ts';
import { axisTicks, describeTick } from './axis-time.ts';
import { describeLocal, describeUtc } from '../display/describe-time.ts';
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
  { name: 'refused', label: 'Refused', color: 'var(--chart-refused)' },
];

/** Readings by the time at which they were received. A gap is a step in which none is known to have come. */
export function CountsChart({ bars, range, height }: CountsChartProps) {
  const { stepName } = RANGES[range];
  const total = bars.reduce((sum, bar) => sum + (readingsOf(bar) ?? 0), 0);
  return (
    <Stack gap="xs">
      <div
        role="img"
        aria-label={`${plural(total, 'reading')} in the ${RANGES[range].label.toLowerCase()}, per ${stepName}. The table below has the numbers.`}
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
              <BarTooltip bar={payload[0]?.payload as Bar | undefined} stepName={stepName} />
            ),
          }}
        />
      </div>
      <Text size="xs" c="dimmed">
        A gap means that no reading is known to have come. The last bar may still fill. What was refused
        stands on top.
      </Text>
      <CountsTable bars={bars} stepName={stepName} />
    </Stack>
  );
}

function BarTooltip({ bar, stepName }: { bar: Bar | undefined; stepName: string }) {
  if (bar === undefined) return null;
  const at = new Date(bar.at);
  const readings = readingsOf(bar);
  return (
    <Paper withBorder p="xs">
      <Text size="sm" fw={600}>
        {readings === null ? 'No readings' : plural(readings, 'reading')}
        {bar.stillFilling !== null && ', still filling'}
      </Text>
      {bar.refused !== null && <Text size="sm">{describeExactly(bar.refused)} refused</Text>}
      <Text size="xs" c="dimmed">
        {stepName} from {describeLocal(at)}
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
