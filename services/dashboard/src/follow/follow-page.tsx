import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState, PageHeading } from '../display/blocks.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { useMayChangeKeys } from '../session/roles.tsx';
import { identityOf } from './follow-search.ts';
import { StoredReading } from './stored-reading.tsx';
import { TestReading } from './test-reading.tsx';

const route = getRouteApi('/signed-in/cellars/$cellar/follow');

/** What happened to one reading: a stored one, or a test reading on its path. */
export function FollowPage() {
  const { cellar } = route.useParams();
  usePageTitle('Follow a reading', cellar);
  const search = route.useSearch();
  const identity = identityOf(search);
  const isViewer = !useMayChangeKeys();
  return (
    <Stack gap="lg" maw={720}>
      <PageHeading>Follow a reading</PageHeading>
      {identity !== undefined ? (
        <StoredReading key={JSON.stringify(identity)} cellar={cellar} identity={identity} />
      ) : isViewer ? (
        <EmptyState title="Viewers cannot send a test reading">
          Choose a reading on the page of a rack to see what happened to it.
        </EmptyState>
      ) : (
        <TestReading cellar={cellar} {...search} />
      )}
    </Stack>
  );
}
