import { Group, Skeleton, Text, Title } from '@mantine/core';
import { AppLink } from '../display/app-link.tsx';
import { Status } from '../display/status.tsx';
import { useEverySecond } from '../display/time/use-every-second.ts';
import { Moment } from '../display/time/moment.tsx';
import { LiveBadge } from '../live/live-badge.tsx';
import type { LiveStreamState } from '../live/use-live-stream.ts';
import classes from './rack.module.css';
import type { RackSearch } from './rack-search.ts';
import { describeSilence } from './describe-reading.ts';

export interface RackHeaderProps {
  cellar: string;
  rack: string;
  /** Of the charts, for the links. */
  range: RackSearch;
  /** Undefined: loading. */
  status: { lastSeenAt: string | null; previous: string | null; next: string | null } | undefined;
  live: LiveStreamState;
}

/** The name and status of a rack, and links to its neighbours. */
export function RackHeader({ cellar, rack, status, live, range }: RackHeaderProps) {
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div className={classes.heading}>
        <Title order={2} size="h3" className={classes.name}>
          {rack}
        </Title>
        <Group gap="md" mt={4} mih={26} fz="sm" role="group" aria-label="Status">
          {status === undefined ? <Skeleton height={20} width={160} /> : <Seen at={status.lastSeenAt} />}
          <LiveBadge {...live} />
        </Group>
      </div>
      <Group component="nav" aria-label="Other racks" gap="md" wrap="nowrap" className={classes.neighbours}>
        <Neighbour
          cellar={cellar}
          range={range}
          rack={status?.previous}
          label="Previous rack"
          text="← Previous"
        />
        <AppLink to="/cellars/$cellar/racks" params={{ cellar }} size="sm">
          All racks
        </AppLink>
        <Neighbour cellar={cellar} range={range} rack={status?.next} label="Next rack" text="Next →" />
      </Group>
    </Group>
  );
}

function Seen({ at }: { at: string | null }) {
  return at === null ? <Status kind="idle">No readings</Status> : <SeenAt at={at} />;
}

function SeenAt({ at }: { at: string }) {
  const silence = useEverySecond((now) => describeSilence(at, now));
  return (
    <>
      <Status kind={silence === undefined ? 'ok' : 'bad'}>
        {silence === undefined ? 'Receiving' : `Silent for ${silence}`}
      </Status>
      <Text size="sm" c="dimmed">
        Last reading <Moment at={at} />
      </Text>
    </>
  );
}

interface NeighbourProps {
  cellar: string;
  range: RackSearch;
  /** null: there is none. Undefined: loading. */
  rack: string | null | undefined;
  label: string;
  text: string;
}

function Neighbour({ cellar, range, rack, label, text }: NeighbourProps) {
  if (typeof rack !== 'string') {
    return (
      <Text span size="sm" c="dimmed" aria-hidden>
        {text}
      </Text>
    );
  }
  return (
    <AppLink
      to="/cellars/$cellar/racks/$rack"
      params={{ cellar, rack }}
      // The range stays, so that racks can be compared.
      search={range}
      size="sm"
      aria-label={`${label}: ${rack}`}
      title={rack}
    >
      {text}
    </AppLink>
  );
}
