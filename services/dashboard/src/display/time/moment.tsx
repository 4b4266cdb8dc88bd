import { Text, Tooltip } from '@mantine/core';
import { describeDistance, describeLocal, describeUtc } from './describe-time.ts';
import { useEverySecond } from './use-every-second.ts';

export interface MomentProps {
  at: string | null;
  otherwise?: string;
  /** The time is at most this many minutes too early. It is not described more exactly. */
  within?: number;
}

/** A relative time ("3 min ago") that updates itself. The exact time and UTC appear on hover. */
export function Moment({ at, otherwise = 'Never', within }: MomentProps) {
  return at === null ? (
    <Text span inherit>
      {otherwise}
    </Text>
  ) : (
    <PresentMoment at={at} within={within} />
  );
}

function PresentMoment({ at, within }: { at: string; within: number | undefined }) {
  const date = new Date(at);
  // Re-renders only when the text changes.
  const words = useEverySecond((now) =>
    within !== undefined && now - date.getTime() < within * 60_000
      ? `< ${within} min ago`
      : describeDistance(date.getTime(), now),
  );
  return <ExactTime at={date}>{words}</ExactTime>;
}

/** Text for a point in time. The exact time and UTC appear on hover. */
export function ExactTime({ at, children }: { at: Date; children: string }) {
  const exact = (
    <>
      {describeLocal(at)} local time
      <br />
      {describeUtc(at)}
    </>
  );
  return (
    <Tooltip label={exact} events={{ hover: true, focus: true, touch: true }} withArrow>
      <time dateTime={at.toISOString()} tabIndex={0}>
        {children}
      </time>
    </Tooltip>
  );
}
