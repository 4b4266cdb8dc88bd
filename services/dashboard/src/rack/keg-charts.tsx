import { Button, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Chart } from '../charts/chart.tsx';
import { PLAIN, toChartPoints } from '../charts/chart-series.ts';
import { seriesColour } from '../charts/series-colours.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import type { KegSettingsByName } from '../kegs/keg-settings.ts';
import { RANGE_NAMES, RANGES } from '../overview/ranges.ts';
import type { RangeName } from '../overview/ranges.ts';
import { seriesQuery } from './rack-queries.ts';
import type { RackName } from './rack-queries.ts';
import type { TimeRange } from './use-time-range.ts';

const CHART_HEIGHT = 160;
/** A screenful or two; the others on request. */
const FIRST_KEGS = 8;

export interface KegChartsProps extends RackName, TimeRange {
  kegs: readonly string[];
  settings: KegSettingsByName;
  /** Undefined: a part of the past was selected. */
  range: RangeName | undefined;
  choose: (range: RangeName) => void;
  zoom: (range: TimeRange) => void;
  zoomOut: () => void;
}

/** A chart for each keg. All have the same range and share a crosshair. */
export function KegCharts(props: KegChartsProps) {
  const { cellar, rack, kegs, settings, range, choose, zoom, zoomOut, from, to } = props;
  const [shown, setShown] = useState(FIRST_KEGS);
  const visible = kegs.slice(0, shown);
  const found = useQuery(seriesQuery({ cellar, rack, kegs: visible, from, to }));
  const { data, error, refetch } = found;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={3} size="h4">
          Charts
        </Title>
        <Group gap="sm">
          {range === undefined && (
            <Button variant="subtle" size="xs" onClick={zoomOut}>
              Zoom out
            </Button>
          )}
          <SegmentedControl
            aria-label="Time range"
            value={range ?? ''}
            onChange={(value) => {
              const chosen = RANGE_NAMES.find((name) => name === value);
              if (chosen !== undefined) choose(chosen);
            }}
            data={RANGE_NAMES.map((name) => ({ value: name, label: RANGES[name].label }))}
          />
        </Group>
      </Group>
      {error !== null && data === undefined ? (
        <LoadProblem what="the charts" error={error} retry={() => void refetch()} />
      ) : (
        visible.map((keg) => (
          <section key={keg} aria-label={keg}>
            <Text size="sm" fw={600}>
              {keg}
            </Text>
            {data === undefined ? (
              <Skeleton height={CHART_HEIGHT} />
            ) : (
              <Chart
                label={`${keg} of ${rack}`}
                series={[
                  { label: keg, colour: seriesColour(0), points: toChartPoints(data.series.get(keg) ?? []) },
                ]}
                step={data.stepMs}
                from={from}
                to={to}
                format={settings.get(keg) ?? PLAIN}
                height={CHART_HEIGHT}
                syncKey={`rack ${rack}`}
                onZoom={zoom}
                onZoomOut={zoomOut}
              />
            )}
          </section>
        ))
      )}
      {kegs.length > shown && (
        <Group>
          <Button size="xs" variant="default" onClick={() => setShown(kegs.length)}>
            Show all {kegs.length} kegs
          </Button>
        </Group>
      )}
    </Stack>
  );
}
