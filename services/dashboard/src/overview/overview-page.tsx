import { Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AppLink } from '../display/app-link.tsx';
import { useState } from 'react';
import { describePercent } from '../display/describe-number.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { Moment } from '../display/time/moment.tsx';
import { present } from '../display/read-search.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { LiveBadge } from '../live/live-badge.tsx';
import { useRefreshOnArrivals } from '../live/use-refresh-on-arrivals.ts';
import { liveRejections, rejectionCountsQuery } from '../rejections/rejections-queries.ts';
import { RejectionsSection } from '../rejections/rejections-section.tsx';
import { VerificationBadge } from '../verification/verification-badge.tsx';
import { CountsCharts, READINGS_HEIGHT, sumOf } from './counts-charts.tsx';
import { FirstReading } from './first-reading.tsx';
import { countsQuery, overviewQuery, REFRESH_MS } from './overview-queries.ts';
import { RangeControl } from './range-control.tsx';
import { RANGES } from './ranges.ts';
import { Count, Tile } from './tile.tsx';

const route = getRouteApi('/signed-in/cellars/$cellar/');

/** More rejected readings than this share are shown in red. */
const ALARMING_SHARE = 0.01;

/** Is data arriving, and is anything rejected? */
export function OverviewPage() {
  const { cellar } = route.useParams();
  usePageTitle('Overview', cellar);
  const { range = 'hour' } = route.useSearch();
  const navigate = route.useNavigate();
  const live = useRefreshOnArrivals(cellar, {}, [
    { queryKey: ['overview'], everyMs: REFRESH_MS },
    { queryKey: ['counts'], everyMs: RANGES[range].refreshMs },
    ...liveRejections(range),
  ]);
  const totals = useQuery(overviewQuery(cellar));
  const { data: overview, error, refetch } = totals;
  const counts = useQuery(countsQuery(cellar, range));
  const rejectedByStep = useQuery(rejectionCountsQuery(cellar, range));
  // The list of rejections is limited, these counts are not.
  const rejectedByMinute = useQuery(rejectionCountsQuery(cellar, 'hour'));

  const isEmpty = overview?.lastReadingAt === null;
  // The key that was created there stays in view when the first reading arrives.
  const [firstIn, setFirstIn] = useState<string>();
  if (isEmpty && firstIn !== cellar) setFirstIn(cellar);
  const first = firstIn === cellar && (
    <div key="first">
      <FirstReading key={cellar} cellar={cellar} hasArrived={!isEmpty} close={() => setFirstIn(undefined)} />
    </div>
  );

  if (isEmpty) {
    return (
      <Stack gap="lg">
        {first}
        <RejectionsSection cellar={cellar} range="day" />
      </Stack>
    );
  }

  return (
    <Stack gap="lg">
      {first}
      <div>
        {error !== null && overview === undefined ? (
          <LoadProblem what="the overview" error={error} retry={() => void refetch()} />
        ) : (
          <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
            <Tile label="Readings, last min">
              {overview && <Count of={overview.readingsLastMinute} what="reading" />}
            </Tile>
            <Tile label="Last reading">{overview && <Moment at={overview.lastReadingAt} />}</Tile>
            <Tile label="Readings, last hour">
              {overview && <Count of={overview.readingsLastHour} what="reading" />}
            </Tile>
            <Tile label="Rejected, last hour">
              {rejectedByMinute.data && (
                <RejectedShare of={sumOf(rejectedByMinute.data)} accepted={overview?.readingsLastHour} />
              )}
            </Tile>
          </SimpleGrid>
        )}
      </div>
      <VerificationBadge cellar={cellar} />
      <Group justify="space-between">
        <Group gap="md">
          <Title order={2} size="h4">
            Readings per {RANGES[range].stepName}
          </Title>
          <LiveBadge {...live} />
          <AppLink to="/cellars/$cellar/follow" params={{ cellar }} size="sm">
            Follow a reading
          </AppLink>
        </Group>
        <RangeControl
          range={range}
          choose={(chosen) => void navigate({ search: present({ range: chosen }) })}
        />
      </Group>
      {counts.error !== null && counts.data === undefined ? (
        <LoadProblem what="the chart" error={counts.error} retry={() => void counts.refetch()} />
      ) : counts.data === undefined ? (
        <Skeleton height={READINGS_HEIGHT} />
      ) : (
        <CountsCharts counts={counts.data} rejected={rejectedByStep.data} range={range} />
      )}
      <RejectionsSection cellar={cellar} range={range} />
    </Stack>
  );
}

/** @param props accepted Undefined: loading. */
function RejectedShare({ of: rejected, accepted }: { of: number; accepted: number | undefined }) {
  const total = rejected + (accepted ?? 0);
  const isAlarming = accepted !== undefined && rejected > ALARMING_SHARE * total;
  return (
    <Text span inherit {...(isAlarming && { c: 'var(--mantine-color-error)' })}>
      <Count of={rejected} what="rejected" many="rejected" />
      {accepted !== undefined && rejected > 0 && (
        <Text span size="sm" ml={6}>
          {describePercent(rejected, total)}
        </Text>
      )}
    </Text>
  );
}
