import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { PipelineHistory } from '../api/resources.ts';
import { PLAIN } from '../charts/chart-series.ts';
import type { ChartSeries } from '../charts/chart-series.ts';
import { Chart } from '../charts/chart.tsx';
import classes from '../charts/chart.module.css';
import { seriesColour } from '../charts/series-colours.ts';
import type { SeriesColour } from '../charts/series-colours.ts';
import { Part } from '../display/blocks.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { present } from '../display/read-search.ts';
import { RangeControl } from '../overview/range-control.tsx';
import { pipelineHistoryQuery } from './pipeline-query.ts';

const route = getRouteApi('/signed-in/pipeline');
const HEIGHT = 150;

type Figure = Exclude<keyof PipelineHistory['points'][number], 'at'>;
interface HistoryChart {
  title: string;
  unit: string | null;
  series: readonly { label: string; colour: SeriesColour; figure: Figure }[];
}

const CHARTS: HistoryChart[] = [
  {
    title: 'Readings per second',
    unit: null,
    series: [
      { label: 'Accepted', colour: '--chart-accepted', figure: 'acceptedPerSecond' },
      { label: 'Stored', colour: seriesColour(1), figure: 'storedPerSecond' },
      { label: 'Rejected', colour: '--chart-rejected', figure: 'rejectedPerSecond' },
      { label: 'Failed (5xx)', colour: seriesColour(3), figure: 'failedPerSecond' },
    ],
  },
  {
    title: 'Behind: from receipt until a reading can be queried, the slowest',
    unit: 's',
    series: [{ label: 'Behind', colour: seriesColour(1), figure: 'behindSeconds' }],
  },
  {
    title: 'Lag: messages in Kafka that are not stored yet, the most',
    unit: null,
    series: [{ label: 'Lag', colour: seriesColour(1), figure: 'lag' }],
  },
];

/** Rates, delay and lag over time. The charts share a crosshair. */
export function PipelineHistorySection() {
  const { range = 'hour' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery(pipelineHistoryQuery(range));
  return (
    <Part
      order={2}
      title="History"
      action={
        <RangeControl
          range={range}
          choose={(next) => void navigate({ search: present({ range: next }), replace: true })}
        />
      }
    >
      {error !== null && data === undefined ? (
        <LoadProblem what="the history" error={error} retry={() => void refetch()} />
      ) : (
        CHARTS.map((chart) => (
          <Stack key={chart.title} gap="xs" aria-busy={isPlaceholderData}>
            <ChartTitle chart={chart} />
            {data === undefined ? <Skeleton height={HEIGHT} /> : <FigureChart chart={chart} history={data} />}
          </Stack>
        ))
      )}
      <Text size="xs" c="dimmed">
        Gap: nothing to store, or no replica reported. key-service keeps a week.
      </Text>
    </Part>
  );
}

function ChartTitle({ chart: { title, series } }: { chart: HistoryChart }) {
  return (
    <Group gap="md">
      <Title order={3} size="h6">
        {title}
      </Title>
      {series.length > 1 &&
        series.map(({ label, colour }) => (
          <Group key={label} gap={6}>
            <span className={classes.swatch} style={{ background: `var(${colour})` }} />
            <Text size="sm">{label}</Text>
          </Group>
        ))}
    </Group>
  );
}

function FigureChart({
  chart: { title, unit, series },
  history,
}: {
  chart: HistoryChart;
  history: PipelineHistory;
}) {
  const [from, to] = [Date.parse(history.from), Date.parse(history.to)];
  const step = history.stepSeconds * 1_000;
  return (
    <Chart
      label={title}
      series={series.map(({ label, colour, figure }): ChartSeries => ({
        ...{ label, colour },
        points: history.points.flatMap(({ at, [figure]: value }) =>
          value === null ? [] : [{ at: Date.parse(at), value }],
        ),
      }))}
      {...{ step, from, to, fillingFrom: Math.floor(to / step) * step }}
      format={{ ...PLAIN, unit }}
      height={HEIGHT}
      syncKey="pipeline"
      isFromZero
    />
  );
}
