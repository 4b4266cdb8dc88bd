import { Text, Tooltip } from '@mantine/core';
import classes from './live-badge.module.css';
import type { LiveStreamState } from './use-live-stream.ts';

export type BadgeState = LiveStreamState['state'] | 'paused';

const WORDS: Readonly<Record<BadgeState, string>> = {
  live: 'Live',
  paused: 'Paused',
  hidden: 'Paused',
  connecting: 'Connecting',
  reconnecting: 'Reconnecting',
  failed: 'Not live',
};

/** Whether the page updates by itself now. */
export function LiveBadge({ state, error }: { state: BadgeState; error: Error | undefined }) {
  const badge = (
    <span className={classes.badge} data-state={state}>
      <Text span size="sm" role="status">
        {WORDS[state]}
      </Text>
    </span>
  );
  return error === undefined || state === 'paused' ? (
    badge
  ) : (
    <Tooltip label={error.message} events={{ hover: true, focus: true, touch: true }}>
      {badge}
    </Tooltip>
  );
}
