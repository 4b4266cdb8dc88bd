import { Text, Tooltip } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { Status } from '../display/status.tsx';
import type { StatusKind } from '../display/status.tsx';
import type { LiveStreamState } from './use-live-stream.ts';

export type BadgeState = LiveStreamState['state'] | 'paused';

const STATES: Readonly<Record<BadgeState, { kind: StatusKind; text: string }>> = {
  live: { kind: 'ok', text: 'Live' },
  paused: { kind: 'idle', text: 'Paused' },
  hidden: { kind: 'idle', text: 'Paused' },
  connecting: { kind: 'idle', text: 'Connecting' },
  reconnecting: { kind: 'warn', text: 'Reconnecting' },
  failed: { kind: 'bad', text: 'Not live' },
};

/** The same for a page that polls, because most of what it shows changes without a reading. */
export function PollBadge({ everyMs, error }: { everyMs: number; error: Error | null }) {
  const isVisible = useDocumentVisibility() === 'visible';
  if (!isVisible || error !== null)
    return <LiveBadge state={isVisible ? 'reconnecting' : 'hidden'} error={error ?? undefined} />;
  return (
    <Text span size="sm" role="status">
      <Status kind="idle">{`Updates every ${everyMs / 1_000} s`}</Status>
    </Text>
  );
}

/** Whether the page updates by itself now. */
export function LiveBadge({ state, error }: { state: BadgeState; error: Error | undefined }) {
  const { kind, text } = STATES[state];
  const badge = (
    <Text span size="sm" role="status">
      <Status kind={kind}>{text}</Status>
    </Text>
  );
  return error === undefined || state === 'paused' ? (
    badge
  ) : (
    <Tooltip label={error.message} events={{ hover: true, focus: true, touch: true }}>
      {badge}
    </Tooltip>
  );
}
