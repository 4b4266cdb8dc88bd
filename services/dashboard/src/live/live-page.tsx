import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { plural } from '../display/describe-number.ts';
import { EmptyState, PageHeading } from '../display/blocks.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { useKegSettings } from '../kegs/keg-settings.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { rejectedMinutesQuery } from '../rejections/rejections-queries.ts';
import { LiveBadge } from './live-badge.tsx';
import { LiveFilterFields } from './live-filter.tsx';
import type { LiveSearch } from './live-search.ts';
import { LiveTable } from './live-table.tsx';
import type { LiveRow } from './live-table.tsx';
import { liveUrl, useLiveStream } from './use-live-stream.ts';
import { addArrivals, EMPTY_TAIL, MAX_ROWS, release } from './tail.ts';
import { useHold } from './use-hold.ts';

const route = getRouteApi('/signed-in/cellars/$cellar/live');

/** Readings as they arrive, and rejections. */
export function LivePage() {
  const { cellar } = route.useParams();
  usePageTitle('Live', cellar);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: LiveSearch, options = { replace: false }): void =>
    void navigate({ search: next, ...options });
  return (
    <Stack>
      <PageHeading>Live</PageHeading>
      <LiveFilterFields cellar={cellar} search={search} show={show} />
      {/* Another filter begins with an empty table. */}
      <LiveReadings key={JSON.stringify(search)} cellar={cellar} search={search} />
    </Stack>
  );
}

const EVENT_READINGS = 50;

function LiveReadings({ cellar, search }: { cellar: string; search: LiveSearch }) {
  const { rack, racks, keg } = search;
  const isFiltered = rack !== undefined || racks !== undefined || keg !== undefined;
  const [isPaused, setPaused] = useState(false);
  const hold = useHold();
  const queryClient = useQueryClient();
  const isHeld = isPaused || hold.isHeld;
  const [tail, setTail] = useState(EMPTY_TAIL);
  const [hasBegun, setHasBegun] = useState(false);
  const stream = useLiveStream(
    liveUrl(cellar, { rack, rackPrefix: racks, keg }, EVENT_READINGS),
    (arrivals) => {
      setHasBegun(true);
      setTail((before) => addArrivals(before, arrivals, isHeld));
      if (arrivals.hasRejections) void queryClient.invalidateQueries({ queryKey: ['rejections'] });
    },
  );
  const [wasHeld, setWasHeld] = useState(isHeld);
  if (wasHeld !== isHeld) {
    setWasHeld(isHeld);
    if (wasHeld) setTail(release);
  }

  const kegs = useKegSettings(cellar);
  const rejections = useQuery({ ...rejectedMinutesQuery(cellar), enabled: !isFiltered && !isHeld });
  const rows = useMemo((): LiveRow[] => {
    const rejected = (isFiltered ? [] : (rejections.data?.rejections ?? [])).map((each) => ({
      ...{ kind: 'rejected' as const, at: Date.parse(each.lastAt), rejected: each },
      id: `rejected ${each.minute} ${each.key.id} ${each.code} ${each.field ?? ''}`,
    }));
    return [...tail.rows, ...rejected].toSorted((one, other) => other.at - one.at).slice(0, MAX_ROWS);
  }, [tail.rows, rejections.data, isFiltered]);

  if (stream.state === 'failed' && stream.error !== undefined) {
    return (
      <LoadProblem what="the live readings" error={stream.error} retry={() => window.location.reload()} />
    );
  }
  return (
    <Stack gap="xs">
      <Group justify="space-between" mih={36}>
        <Group gap="md">
          <LiveBadge
            state={isHeld && stream.state === 'live' ? 'paused' : stream.state}
            error={stream.error}
          />
          <Text size="sm" c="dimmed">
            {describeHold({ isPaused, isHeld, count: tail.held.count })}
          </Text>
        </Group>
        <Button size="xs" variant="default" onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      </Group>
      {hasBegun && rows.length === 0 ? (
        <EmptyState title={isFiltered ? 'No readings match' : 'No readings in the last ten minutes'}>
          New readings appear here as they arrive.
        </EmptyState>
      ) : (
        <div {...hold.props}>
          <LiveTable cellar={cellar} rows={hasBegun || rows.length > 0 ? rows : undefined} kegs={kegs} />
        </div>
      )}
      <Text size="sm" c="dimmed">
        Choose a reading to see what is stored about it. Visible after: time from receipt until the reading
        could be queried, up to 1 s overestimated. ≥: it was already stored when you opened this page.{' '}
        {rejectionsNote(isFiltered, rejections.isError)}
      </Text>
    </Stack>
  );
}

function describeHold(hold: { isPaused: boolean; isHeld: boolean; count: number }): string {
  if (!hold.isHeld) return '';
  const waiting = hold.count === 0 ? 'No new readings' : `+ ${plural(hold.count, 'new reading')}`;
  return hold.isPaused ? waiting : `${waiting}, paused while you point at the table or select text`;
}

function rejectionsNote(isFiltered: boolean, isError: boolean): string {
  if (isFiltered) return 'Clear the filter to see rejections: they are counted by key.';
  if (isError) return "Couldn't load rejections.";
  return 'Rejections are counts per minute, key and reason, not single requests.';
}
