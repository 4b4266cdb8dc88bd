import { Alert, Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { MOST_SERIES } from '../charts/series-colours.ts';
import { AppLink } from '../display/app-link.tsx';
import { EmptyState } from '../display/blocks.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { present } from '../display/read-search.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { kegsQuery } from '../kegs/keg-settings.ts';
import { useRefreshOnArrivals } from '../live/use-refresh-on-arrivals.ts';
import { follows } from '../range/range-search.ts';
import { DATA_RANGES, DEFAULT_RANGE, fixedRange } from '../range/ranges.ts';
import { TimeControls } from '../range/time-controls.tsx';
import { ChooseSeries } from './choose-series.tsx';
import { chartQuery, racksWithKegQuery } from './data-queries.ts';
import type { Chosen } from './data-queries.ts';
import type { DataSearch } from './data-search.ts';
import { SeriesChart } from './series-chart.tsx';

const route = getRouteApi('/signed-in/cellars/$cellar/data');

/** Racks in the first chart of a person who has chosen nothing, when there are more than fit into one. */
const RACKS_AT_FIRST = 4;
const CHART_HEIGHT = 360;

/** The values of a keg over time, of up to eight racks. */
export function DataPage() {
  const { cellar } = route.useParams();
  usePageTitle('Data', cellar);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const kegs = useQuery(kegsQuery(cellar));
  const keg = search.keg ?? mostCommon(kegs.data);
  const racksOfKeg = useQuery(racksWithKegQuery(cellar, keg, ''));
  const racks = search.racks ?? firstOf(racksOfKeg.data);
  const isDefault = search.keg === undefined || search.racks === undefined;

  // The URL reproduces the view, also one that nobody has chosen.
  useEffect(() => {
    if (isDefault && keg !== undefined && racks !== undefined && racks.length > 0) {
      void navigate({ search: { ...search, keg, racks }, replace: true });
    }
  });

  if (kegs.error !== null && kegs.data === undefined) {
    return <LoadProblem what="the kegs" error={kegs.error} retry={() => void kegs.refetch()} />;
  }
  if (kegs.data?.length === 0) {
    return (
      <EmptyState title="No readings yet">
        The{' '}
        <AppLink to="/cellars/$cellar" params={{ cellar }} inherit underline="always">
          overview
        </AppLink>{' '}
        shows how to send the first reading.
      </EmptyState>
    );
  }
  if (keg === undefined || racks === undefined) return <Skeleton height={CHART_HEIGHT} />;
  return (
    <ChosenSeries
      cellar={cellar}
      search={search}
      chosen={{ keg, racks }}
      kegs={kegs.data?.map((known) => known.keg) ?? []}
      show={(next) => {
        // The request is sent before the page renders. The page shows its error.
        const { keg: nextKeg = keg, racks: nextRacks = racks } = next;
        if (nextRacks.length > 0)
          queryClient
            .query(chartQuery(cellar, next, { keg: nextKeg, racks: nextRacks }))
            .catch(() => undefined);
        void navigate({ search: next });
      }}
    />
  );
}

interface ChosenProps {
  cellar: string;
  search: DataSearch;
  chosen: Chosen;
  kegs: readonly string[];
  show: (search: DataSearch) => void;
}

function ChosenSeries({ cellar, search, chosen, kegs, show }: ChosenProps) {
  const { range = DEFAULT_RANGE } = search;
  const wanted = chartQuery(cellar, search, chosen);
  const stream = useRefreshOnArrivals(
    cellar,
    follows(search) && chosen.racks.length > 0 ? { keg: chosen.keg } : 'off',
    [{ queryKey: wanted.queryKey, everyMs: DATA_RANGES[range].refreshMs }],
  );
  const series = useQuery(wanted);
  const { data, error, refetch, isPlaceholderData } = series;
  const [openedAt] = useState(() => Date.now());
  const loaded = data && { from: Date.parse(data.from), to: Date.parse(data.to) };
  const shown = fixedRange(search) ?? loaded ?? { from: openedAt - DATA_RANGES[range].length, to: openedAt };
  return (
    <Stack gap="sm">
      <ChooseSeries
        cellar={cellar}
        kegs={kegs}
        {...chosen}
        choose={(next) => {
          const { keg, racks } = { ...chosen, ...next };
          show({ ...search, keg, racks: [...racks] });
        }}
      />
      <TimeControls
        search={search}
        defaultRange={DEFAULT_RANGE}
        shown={shown}
        stream={stream}
        show={(next) => show({ ...present({ keg: search.keg, racks: search.racks }), ...next })}
      />
      <div>
        {chosen.racks.length === 0 ? (
          <Alert color="gray">Add a rack to see its readings.</Alert>
        ) : error !== null && data === undefined ? (
          <LoadProblem what="the series" error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton height={CHART_HEIGHT} />
        ) : (
          <SeriesChart
            cellar={cellar}
            data={data}
            search={search}
            chosen={chosen}
            shown={shown}
            height={CHART_HEIGHT}
            isStale={isPlaceholderData}
            zoom={(next) => show(present({ ...search, ...next }))}
          />
        )}
      </div>
    </Stack>
  );
}

function firstOf(racks: readonly string[] | undefined): string[] | undefined {
  return racks?.slice(0, racks.length <= MOST_SERIES ? MOST_SERIES : RACKS_AT_FIRST);
}

function mostCommon(kegs: readonly { keg: string; racks: number }[] | undefined): string | undefined {
  return kegs?.toSorted((a, b) => b.racks - a.racks)[0]?.keg;
}
