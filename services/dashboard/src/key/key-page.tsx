import { Button, Group, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AppLink } from '../display/app-link.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { present } from '../display/read-search.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { useKeyDialogs } from '../keys/dialogs/use-key-dialogs.tsx';
import { LiveBadge } from '../live/live-badge.tsx';
import { useRefreshOnArrivals } from '../live/use-refresh-on-arrivals.ts';
import { CountsCharts, READINGS_HEIGHT } from '../overview/counts-charts.tsx';
import { RangeControl } from '../overview/range-control.tsx';
import { RANGES } from '../overview/ranges.ts';
import { liveRejections, rejectionCountsQuery } from '../rejections/rejections-queries.ts';
import { RejectionsSection } from '../rejections/rejections-section.tsx';
import { useMayChangeKeys } from '../session/roles.tsx';
import { KeyFacts } from './key-facts.tsx';
import { keyQuery, keyUsageQuery } from '../keys/key-queries.ts';
import { KeyRacks } from './key-racks.tsx';

const route = getRouteApi('/signed-in/cellars/$cellar/keys/$id');

/** One API key: what it is used for, what was rejected, and what can be done with it. */
export function KeyPage() {
  const { cellar, id } = route.useParams();
  const { range = 'hour' } = route.useSearch();
  const navigate = route.useNavigate();
  const dialogs = useKeyDialogs(cellar);
  const mayChange = useMayChangeKeys();
  // The stream has no filter by key.
  const live = useRefreshOnArrivals(cellar, {}, [
    { queryKey: ['key usage'], everyMs: RANGES[range].refreshMs },
    ...liveRejections(range),
  ]);
  const key = useQuery(keyQuery(cellar, id));
  const usage = useQuery(keyUsageQuery(cellar, id, range));
  const rejectedByStep = useQuery(rejectionCountsQuery(cellar, range, id));
  const { data: apiKey, error, refetch } = key;
  usePageTitle(apiKey?.name ?? 'API Key', cellar);

  if (error !== null && apiKey === undefined) {
    return <LoadProblem what="the API key" error={error} retry={() => void refetch()} />;
  }

  return (
    <Stack gap="lg">
      <div>
        <AppLink to="/cellars/$cellar/keys" params={{ cellar }} size="sm">
          All API keys
        </AppLink>
        <Group justify="space-between" mt={4}>
          <Skeleton visible={apiKey === undefined} w="auto">
            <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
              {apiKey?.name ?? 'Loading'}
            </Title>
          </Skeleton>
          {mayChange && apiKey !== undefined && apiKey.state !== 'revoked' && (
            <Group gap="xs">
              <Button
                size="xs"
                variant="default"
                onClick={() => dialogs.open({ dialog: 'edit', key: apiKey })}
              >
                Edit
              </Button>
              {apiKey.state === 'active' && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => dialogs.open({ dialog: 'rotate', key: apiKey })}
                >
                  Rotate
                </Button>
              )}
              <Button
                size="xs"
                variant="default"
                onClick={() => dialogs.open({ dialog: 'revoke', key: apiKey })}
              >
                Revoke
              </Button>
            </Group>
          )}
        </Group>
        {dialogs.notice}
      </div>
      {apiKey !== undefined && <KeyFacts apiKey={apiKey} />}

      <Group justify="space-between">
        <Group gap="md">
          <Title order={3} size="h4">
            Readings per {RANGES[range].stepName}
          </Title>
          <LiveBadge {...live} />
        </Group>
        <RangeControl
          range={range}
          choose={(chosen) => void navigate({ search: present({ range: chosen }) })}
        />
      </Group>
      {usage.error !== null && usage.data === undefined ? (
        <LoadProblem what="the usage of the key" error={usage.error} retry={() => void usage.refetch()} />
      ) : usage.data === undefined ? (
        <Skeleton height={READINGS_HEIGHT} />
      ) : (
        <>
          <CountsCharts counts={usage.data.counts} rejected={rejectedByStep.data} range={range} />
          <KeyRacks cellar={cellar} usage={usage.data} range={range} />
        </>
      )}

      <RejectionsSection cellar={cellar} range={range} filter={{ key: id }} order={3} />
      {dialogs.dialog}
    </Stack>
  );
}
