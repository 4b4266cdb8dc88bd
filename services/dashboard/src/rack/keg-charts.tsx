import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Part } from '../display/blocks.tsx';
import { Chart } from '../charts/chart.tsx';
import { PLAIN, toChartPoints } from '../charts/chart-series.ts';
import { seriesColour } from '../charts/series-colours.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { present } from '../display/read-search.ts';
import type { KegSettingsByName } from '../kegs/keg-settings.ts';
import type { LiveStreamState } from '../live/use-live-stream.ts';
import type { RangeSearch } from '../range/range-search.ts';
import { atRange, DATA_RANGES, fixedRange } from '../range/ranges.ts';
import { TimeControls } from '../range/time-controls.tsx';
import { seriesQuery } from './rack-queries.ts';
import type { RackName } from './rack-queries.ts';
import { RACK_RANGE } from './rack-search.ts';

const CHART_HEIGHT = 160;
/** A screenful or two; the others on request. */
const FIRST_KEGS = 8;

export interface KegChartsProps extends RackName {
  kegs: readonly string[];
  settings: KegSettingsByName;
  search: RangeSearch;
  stream: LiveStreamState;
  show: (search: RangeSearch) => void;
}

/** A chart for each keg. All have the same range and share a crosshair. */
export function KegCharts({ cellar, rack, kegs, settings, search, stream, show }: KegChartsProps) {
  const [count, setCount] = useState(FIRST_KEGS);
  const [openedAt] = useState(() => Date.now());
  const { range = RACK_RANGE, zone = 'local' } = search;
  const { length } = DATA_RANGES[range];
  const visible = kegs.slice(0, count);
  const found = useQuery(seriesQuery({ cellar, rack, kegs: visible }, search));
  const { data, error, refetch } = found;
  const shown = fixedRange(search) ?? data?.shown ?? { from: openedAt - length, to: openedAt };
  return (
    <Part title="Charts">
      <TimeControls search={search} defaultRange={RACK_RANGE} shown={shown} stream={stream} show={show} />
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
                {...shown}
                format={settings.get(keg) ?? PLAIN}
                zone={zone}
                height={CHART_HEIGHT}
                syncKey={`rack ${rack}`}
                onZoom={(next) => show({ ...search, ...atRange(next) })}
                onZoomOut={() => show(present({ ...search, from: undefined, to: undefined }))}
              />
            )}
          </section>
        ))
      )}
      {kegs.length > count && (
        <Group>
          <Button size="xs" variant="default" onClick={() => setCount(kegs.length)}>
            Show all {kegs.length} kegs
          </Button>
        </Group>
      )}
    </Part>
  );
}
