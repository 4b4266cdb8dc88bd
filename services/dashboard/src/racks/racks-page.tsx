import { NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AppLink } from '../display/app-link.tsx';
import { EmptyPage } from '../display/tables/empty-page.tsx';
import { EmptyState } from '../display/empty-state.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { Pages } from '../display/tables/pages.tsx';
import { PageHeading } from '../display/page-heading.tsx';
import { Toolbar } from '../display/toolbar.tsx';
import { present } from '../display/read-search.ts';
import { SearchField } from '../display/tables/search-field.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { LiveBadge } from '../live/live-badge.tsx';
import { useRefreshOnArrivals } from '../live/use-refresh-on-arrivals.ts';
import { racksQuery, REFRESH_MS } from './racks-queries.ts';
import { SILENCES } from './racks-search.ts';
import type { RacksSearch } from './racks-search.ts';
import { RacksTable } from './racks-table.tsx';

const route = getRouteApi('/signed-in/cellars/$cellar/racks');

/** The racks of a cellar, with a filter for silent ones. */
export function RacksPage() {
  const { cellar } = route.useParams();
  usePageTitle('Racks', cellar);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const live = useRefreshOnArrivals(cellar, ['racks'], REFRESH_MS / 2);
  const racks = useQuery({
    ...racksQuery(cellar, search),
    refetchInterval: live.refetchInterval,
  });
  const { data, error, refetch, isPlaceholderData } = racks;

  const show = (next: RacksSearch): void => void navigate({ search: next });
  const { search: text, silent, sort, order } = search;

  return (
    <Stack>
      <PageHeading>Racks</PageHeading>
      <Toolbar>
        <LiveBadge {...live} />
        <SearchField
          label="Search racks by name"
          placeholder="Search by name"
          maxLength={256}
          value={text}
          onSearch={(next) =>
            void navigate({ search: present({ search: next, silent, sort, order }), replace: true })
          }
        />
        <NativeSelect
          aria-label="Filter by last reading"
          w={{ base: '100%', xs: 280 }}
          value={silent ?? ''}
          onChange={(event) => {
            const chosen = SILENCES.find(({ value }) => value === event.currentTarget.value)?.value;
            show(present({ search: text, silent: chosen, sort, order }));
          }}
          data={[
            { value: '', label: 'All racks' },
            ...SILENCES.map(({ value, label }) => ({ value, label: `Silent for over ${label}` })),
          ]}
        />
      </Toolbar>
      <div>
        <Stack>
          {error !== null && data === undefined ? (
            <LoadProblem what="the racks" error={error} retry={() => void refetch()} />
          ) : data?.racks.length === 0 ? (
            <EmptyPage
              isFirst={search.cursor === undefined}
              toFirst={() => show(present({ ...search, cursor: undefined }))}
            >
              <NoRacks cellar={cellar} isFiltered={text !== undefined || silent !== undefined} />
            </EmptyPage>
          ) : (
            <>
              <RacksTable racks={data?.racks} search={search} isStale={isPlaceholderData} show={show} />
              <Pages
                isFirst={search.cursor === undefined}
                nextCursor={data?.nextCursor ?? null}
                go={(cursor) => show(present({ ...search, cursor }))}
              />
            </>
          )}
        </Stack>
      </div>
    </Stack>
  );
}

function NoRacks({ cellar, isFiltered }: { cellar: string; isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No racks match" />;
  return (
    <EmptyState title="No racks yet">
      The{' '}
      <AppLink to="/cellars/$cellar" params={{ cellar }} inherit underline="always">
        overview
      </AppLink>{' '}
      shows how to send the first reading.
    </EmptyState>
  );
}
