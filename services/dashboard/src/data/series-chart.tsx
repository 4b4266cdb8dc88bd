import { Group, Stack, Text } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { PLAIN, toChartPoints } from '../charts/chart-series.ts';
import type { ChartRange, ChartSeries } from '../charts/chart-series.ts';
import { Chart } from '../charts/chart.tsx';
import { describeSilence, findSilences } from '../charts/find-gaps.ts';
import { describeStep } from '../charts/axis-labels.ts';
import { seriesColour } from '../charts/series-colours.ts';
import { plural } from '../display/describe-number.ts';
import { describeDuration } from '../display/time/describe-time.ts';
import { describeGoodRange } from '../kegs/describe-value.ts';
import { useKegSettings } from '../kegs/keg-settings.ts';
import { seriesParams } from './data-queries.ts';
import type { Chosen, SeriesResponse } from './data-queries.ts';
import type { DataSearch } from './data-search.ts';
import { drawPicture } from './draw-picture.ts';
import { toCsv, toCurl, toNdjson } from './export-data.ts';
import { ExportMenu } from './export-menu.tsx';
import { LegendTable } from './legend-table.tsx';
import { atRange } from '../range/ranges.ts';
import classes from './data-page.module.css';

export interface SeriesChartProps {
  cellar: string;
  data: SeriesResponse;
  search: DataSearch;
  chosen: Chosen;
  shown: ChartRange;
  height: number;
  /** The data are those of the previous choice. */
  isStale: boolean;
  zoom: (ends: { from?: string | undefined; to?: string | undefined }) => void;
}

const MOST_SILENCES = 4;
const MOST_DECIMALS = 6;

/** The chart, what it shows in words, its export, and a legend with figures. */
export function SeriesChart(props: SeriesChartProps) {
  const { cellar, data, search, chosen, shown, height, isStale, zoom } = props;
  const [focused, setFocused] = useState<number | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const keg = data.series[0]?.keg ?? chosen.keg;
  const settings = useKegSettings(cellar).get(keg) ?? PLAIN;
  const format = { ...settings, decimals: settings.decimals ?? decimalsOf(data) };
  const zone = search.zone ?? 'local';
  const step = data.step * 1_000;
  const series = useMemo(
    () =>
      data.series.map(({ rack, points }, index): ChartSeries => ({
        label: rack,
        colour: seriesColour(index),
        points: toChartPoints(points),
      })),
    [data],
  );
  const silences = series.flatMap(({ label, points }) =>
    findSilences(points, step, shown).map(
      (silence) =>
        `${describeSilence(label, silence)}: ${describeStep(silence.from, silence.to - silence.from, zone)}`,
    ),
  );
  const total = data.series.reduce((sum, { summary }) => sum + (summary?.count ?? 0), 0);
  const when = describeStep(shown.from, shown.to - shown.from, zone);
  const goodRange = describeGoodRange(format);
  return (
    <Stack gap="sm" className={isStale ? classes.stale : ''} aria-busy={isStale}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {when} · one point = {describeDuration(step)} · line: average, band: minimum to maximum
          {goodRange !== undefined && ` · good: ${goodRange}`}
        </Text>
        <Group gap="xs">
          <ExportMenu
            fileName={`${cellar}-${keg}`.replaceAll(/[^\w.-]+/g, '-')}
            csv={() => toCsv(data, format)}
            ndjson={() => toNdjson(data, format)}
            png={() => {
              const canvas = frame.current?.querySelector('canvas');
              if (canvas === null || canvas === undefined) throw new Error('there is no chart');
              return drawPicture({ canvas, title: `${cellar} · ${keg} · ${when}`, series });
            }}
            curl={() => toCurl(window.location.origin, cellar, seriesParams(search, chosen, Date.now()))}
          />
        </Group>
      </Group>
      <div ref={frame}>
        <Chart
          label={`${keg} of ${plural(series.length, 'rack')}, ${plural(total, 'reading')}, ${when}`}
          series={series}
          step={step}
          {...shown}
          {...(search.from === undefined && { fillingFrom: Date.parse(data.to) - step + 1 })}
          format={format}
          zone={zone}
          height={height}
          focused={focused}
          onZoom={(range) => zoom(atRange(range))}
          onZoomOut={() => zoom({ from: undefined, to: undefined })}
        />
      </div>
      {silences.length > 0 && (
        <Text size="xs" c="dimmed" component="div">
          {silences.slice(0, MOST_SILENCES).map((text) => (
            <div key={text}>{text}</div>
          ))}
          {silences.length > MOST_SILENCES && `and ${silences.length - MOST_SILENCES} more`}
        </Text>
      )}
      <LegendTable cellar={cellar} data={data} format={format} focus={setFocused} />
    </Stack>
  );
}

/** As many as the readings have: an average has more digits than it is exact. null: with an exponent. */
function decimalsOf({ series }: SeriesResponse): number | null {
  const texts = series.flatMap(({ summary }) =>
    summary === null ? [] : [summary.last, summary.min, summary.max].map(String),
  );
  if (texts.some((text) => text.includes('e'))) return null;
  return Math.min(MOST_DECIMALS, Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0)));
}
