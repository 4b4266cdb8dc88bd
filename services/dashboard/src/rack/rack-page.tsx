import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../display/blocks.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { present } from '../display/read-search.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { useKegSettings } from '../kegs/keg-settings.ts';
import { useRefreshOnArrivals } from '../live/use-refresh-on-arrivals.ts';
import { follows } from '../range/range-search.ts';
import { DATA_RANGES } from '../range/ranges.ts';
import { KegCharts } from './keg-charts.tsx';
import { LatestValues } from './latest-values.tsx';
import { RackHeader } from './rack-header.tsx';
import { RackKeys } from './rack-keys.tsx';
import { latestQuery, rackQuery } from './rack-queries.ts';
import { RACK_RANGE } from './rack-search.ts';
import type { RackSearch } from './rack-search.ts';
import { RackReadings } from './rack-readings.tsx';
import { liveRejections } from '../rejections/rejections-queries.ts';
import { RejectionsSection } from '../rejections/rejections-section.tsx';

const route = getRouteApi('/signed-in/cellars/$cellar/racks/$rack');

const REFRESH_MS = 2_000;
const KEYS_REFRESH_MS = 60_000;

/** One rack: whether it is live, its values now and over time, its readings, rejections and keys. */
export function RackPage() {
  const name = route.useParams();
  const { cellar, rack } = name;
  usePageTitle(rack, cellar);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { range = RACK_RANGE } = search;
  const live = useRefreshOnArrivals(cellar, { rack }, [
    ...['rack', 'latest', 'readings'].map((part) => ({ queryKey: [part], everyMs: REFRESH_MS })),
    ...(follows(search) ? [{ queryKey: ['series'], everyMs: DATA_RANGES[range].refreshMs }] : []),
    { queryKey: ['rack keys'], everyMs: KEYS_REFRESH_MS },
    ...liveRejections('day'),
  ]);
  const status = useQuery(rackQuery(name));
  const latest = useQuery(latestQuery(name));
  const settings = useKegSettings(cellar);
  const values = latest.data?.series;
  const kegs = values?.map(({ keg }) => keg) ?? [];

  const show = (next: RackSearch, options: { replace?: boolean } = {}): void =>
    void navigate({ search: next, resetScroll: false, ...options });

  if (latest.error !== null && values === undefined) {
    return <LoadProblem what={`rack ${rack}`} error={latest.error} retry={() => void latest.refetch()} />;
  }
  return (
    <Stack gap="xl">
      <div>
        <RackHeader cellar={cellar} rack={rack} status={status.data} live={live} range={withoutKeg(search)} />
      </div>
      {values?.length === 0 ? (
        <EmptyState title="No readings from this rack">
          No reading of {rack} is stored within the retention of the cellar. Rejected readings are listed
          below.
        </EmptyState>
      ) : (
        <>
          <LatestValues values={values} settings={settings} />
          {typeof latest.data?.nextCursor === 'string' && (
            <Text size="sm" c="dimmed">
              Showing the first {kegs.length} kegs.
            </Text>
          )}
          <KegCharts
            {...name}
            kegs={kegs}
            settings={settings}
            search={search}
            stream={live}
            show={(range) => show({ ...present({ keg: search.keg }), ...range })}
          />
          <RackReadings
            {...name}
            kegs={kegs}
            settings={settings}
            search={search}
            choose={(keg) => show({ ...search, keg }, { replace: true })}
          />
        </>
      )}
      <div>
        <RejectionsSection
          cellar={cellar}
          range="day"
          filter={{ rack }}
          title="Rejected readings, last day"
          order={3}
        />
        <Text size="sm" c="dimmed">
          Counted per minute and key. If racks share a key, a count can include other racks. Readings that do
          not name their rack are on the overview only.
        </Text>
      </div>
      <RackKeys {...name} />
    </Stack>
  );
}

/** Another rack may not have this keg. */
function withoutKeg({ keg: _keg, ...range }: RackSearch): RackSearch {
  return range;
}
