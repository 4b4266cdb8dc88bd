import { Button, Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../display/blocks.tsx';
import { PagedList } from '../display/tables/paged-list.tsx';
import { present } from '../display/read-search.ts';
import { SearchField } from '../display/tables/search-field.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { PollBadge } from '../live/live-badge.tsx';
import { unauthenticatedQuery, UnauthenticatedRequests } from '../rejections/unauthenticated-requests.tsx';
import { useOwner } from '../session/roles.tsx';
import { ACTIVITY_REFRESH_MS, activityQuery } from './activity.ts';
import { cellarsQuery } from './cellars-query.ts';
import type { CellarsSearch } from './cellars-search.ts';
import { CellarsTable } from './cellars-table.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { CreateCellarDialog } from './create-cellar-dialog.tsx';

const route = getRouteApi('/signed-in/');

/** All cellars, by name. */
export function CellarsPage() {
  usePageTitle('Cellars');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isOwner = useOwner();
  const [isCreating, setCreating] = useState(false);
  const cellars = useQuery(cellarsQuery(search));
  const activity = useQuery(activityQuery);
  const hasRequests = isOwner && search.archived !== true;
  const requests = useQuery({ ...unauthenticatedQuery, enabled: hasRequests });
  // What they add is above the table, which would move. An outage of query must not hide the list.
  const isComplete = [activity, ...(hasRequests ? [requests] : [])].every(
    ({ isFetched, failureCount }) => isFetched || failureCount > 0,
  );

  const show = (next: CellarsSearch): void => void navigate({ search: next, replace: true });

  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {search.archived === true ? 'Archived cellars' : 'Cellars'}
        </Title>
        {isOwner && <Button onClick={() => setCreating(true)}>Create cellar</Button>}
      </Group>
      <Group>
        <SearchField
          label="Search cellars by name"
          placeholder="Search by name"
          maxLength={64}
          value={search.search}
          onSearch={(text) => show(present({ search: text, archived: search.archived }))}
        />
        <Button
          variant="subtle"
          onClick={() =>
            show(present({ search: search.search, archived: search.archived === true ? undefined : true }))
          }
        >
          {search.archived === true ? 'Show active' : 'Show archived'}
        </Button>
        <PollBadge everyMs={ACTIVITY_REFRESH_MS} error={activity.error} />
      </Group>

      <PagedList
        what="the cellars"
        query={cellars}
        rows={cellars.data?.cellars}
        cursor={search.cursor}
        go={(cursor) => void navigate({ search: present({ ...search, cursor }) })}
        empty={<NoCellars search={search} onCreate={isOwner ? () => setCreating(true) : undefined} />}
      >
        {isComplete &&
          search.archived !== true &&
          cellars.data !== undefined &&
          activity.data !== undefined && (
            <NeedsAttention
              cellars={cellars.data.cellars}
              activity={activity.data}
              now={activity.dataUpdatedAt}
            />
          )}
        {isComplete && hasRequests && <UnauthenticatedRequests />}
        <CellarsTable
          key={String(isComplete)}
          cellars={isComplete ? cellars.data?.cellars : undefined}
          activity={activity.data ?? (activity.isError ? 'unknown' : 'loading')}
          now={activity.dataUpdatedAt}
          isStale={cellars.isPlaceholderData}
        />
      </PagedList>
      {isCreating && <CreateCellarDialog close={() => setCreating(false)} />}
    </Stack>
  );
}

function NoCellars({ search, onCreate }: { search: CellarsSearch; onCreate: (() => void) | undefined }) {
  if (search.search !== undefined) {
    return <EmptyState title={`No cellars match “${search.search}”`} />;
  }
  if (search.archived === true) return <EmptyState title="No archived cellars" />;
  if (onCreate === undefined) {
    return (
      <EmptyState title="You don't have access to a cellar yet">Contact an owner for access.</EmptyState>
    );
  }
  return (
    <EmptyState title="No cellars yet" action={<Button onClick={onCreate}>Create your first cellar</Button>}>
      A cellar is a use case or project with its own API keys and retention.
    </EmptyState>
  );
}
