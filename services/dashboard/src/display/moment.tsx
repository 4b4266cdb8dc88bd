import { Text, Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { describeDistance, describeLocal, describeUtc } from './describe-time.ts';
import { everySecond } from './every-second.ts';

/** A point in time, as "3 min ago", which stays fresh. The exact time and UTC appear on hover. */
export function Moment({ at, otherwise = 'Never' }: { at: string | null; otherwise?: string }) {
  return at === null ? (
    <Text span inherit>
      {otherwise}
    </Text>
  ) : (
    <PresentMoment at={at} />
  );
}

function PresentMoment({ at }: { at: string }) {
  const date = new Date(at);
  // Renders again only when the words change.
  const words = useSyncExternalStore(everySecond, () => describeDistance(date.getTime(), Date.now()));
  const exact = (
    <>
      {describeLocal(date)} here
      <br />
      {describeUtc(date)}
    </>
  );
  return (
    <Tooltip label={exact} events={{ hover: true, focus: true, touch: true }} withArrow>
      <time dateTime={at}>{words}</time>
    </Tooltip>
  );
}
