import { useQuery } from '@tanstack/react-query';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly } from '../display/describe-number.ts';
import { useEverySecond } from '../display/time/use-every-second.ts';
import { useOwner } from '../session/roles.tsx';
import { EXPECTED_WITHIN_MS, readingQuery } from './follow-queries.ts';
import type { ReadingIdentity } from './follow-search.ts';
import { Step } from './steps.tsx';

export interface VisibleStepProps {
  cellar: string;
  identity: ReadingIdentity;
  receivedAt: string;
  sinceMs: number;
}

/** Waits until a query finds the reading in ClickHouse. */
export function VisibleStep({ cellar, identity, receivedAt, sinceMs }: VisibleStepProps) {
  const { data, error } = useQuery(readingQuery(cellar, identity, sinceMs));
  const waitedMs = useEverySecond((now) => Math.floor((now - sinceMs) / 1_000) * 1_000);
  const since = (at: string): string => `${describeExactly(Date.parse(at) - Date.parse(receivedAt))} ms`;

  if (data !== undefined && data.reading !== null) {
    const { checkedAt, missedAt, reading } = data;
    return (
      <Step kind="ok" title={`Visible in ClickHouse within ${since(checkedAt)}`}>
        {reading.storedAt !== null &&
          `ClickHouse began the insert ${since(reading.storedAt)} after receipt. `}
        {missedAt === undefined
          ? 'The first query found it: it may have been visible earlier.'
          : `A query that ended ${since(missedAt)} after receipt had not found it yet.`}{' '}
        Each service reads its own clock.{' '}
        <AppLink
          to="/cellars/$cellar/follow"
          params={{ cellar }}
          search={identity}
          inherit
          underline="always"
        >
          Link to this reading
        </AppLink>
      </Step>
    );
  }
  if (error !== null) {
    return (
      <Step kind="warn" title="Can't see whether it is visible">
        {error.message}. The reading is safe in Kafka. The page keeps trying.
      </Step>
    );
  }
  if (waitedMs < EXPECTED_WITHIN_MS)
    return <Step kind="waiting" title="Waiting until it is visible in ClickHouse" />;
  return (
    <Step kind="warn" title={`Not visible after ${waitedMs / 1_000} s`}>
      The reading is safe in Kafka, and becomes visible when the sink has stored it. <PipelineHint />
    </Step>
  );
}

/** Only owners see the pipeline. */
function PipelineHint() {
  if (!useOwner()) return 'An owner can see on the Pipeline page how far the sink is behind.';
  return (
    <AppLink to="/pipeline" inherit underline="always">
      See how far the sink is behind
    </AppLink>
  );
}
