import { NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AppLink } from '../display/app-link.tsx';
import { EmptyState, PageHeading, Toolbar } from '../display/blocks.tsx';
import { PagedList } from '../display/tables/paged-list.tsx';
import { present } from '../display/read-search.ts';
import { SearchField } from '../display/tables/search-field.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { LiveBadge } from '../live/live-badge.tsx';
import { useRefreshOnArrivals } from '../live/use-refresh-on-arrivals.ts';
import { racksQuery } from './racks-queries.ts';
import { SILENCES } from './racks-search.ts';
import type { RacksSearch } from './racks-search.ts';
import { RacksTable } from './racks-table.tsx';

const route = getRouteApi('/signed-in/cellars/$cellar/racks');

const REFRESH_MS = 5_000;

/** The racks of a cellar, with a filter for silent ones. */
export function RacksPage() {
  const { cellar } = route.useParams();
  usePageTitle('Racks', cellar);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const live = useRefreshOnArrivals(cellar, {}, [{ queryKey: ['racks'], everyMs: REFRESH_MS }]);
  const racks = useQuery(racksQuery(cellar, search));

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
      <PagedList
        what="the racks"
        query={racks}
        rows={racks.data?.racks}
        cursor={search.cursor}
        go={(cursor) => show(present({ ...search, cursor }))}
        empty={<NoRacks cellar={cellar} isFiltered={text !== undefined || silent !== undefined} />}
      >
        <RacksTable
          racks={racks.data?.racks}
          search={search}
          now={racks.dataUpdatedAt}
          isStale={racks.isPlaceholderData}
          show={show}
        />
      </PagedList>
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
