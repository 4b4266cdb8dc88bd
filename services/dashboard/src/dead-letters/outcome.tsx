import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly, plural } from '../display/describe-number.ts';
import { deadLetterCountsQuery } from './dead-letters-queries.ts';
import type { Decided } from './decide-dialog.tsx';

/** What became of the selected ones. A replay shows its progress; those that other users start meanwhile count too. */
export function Outcome({ decided }: { decided: Decided }) {
  return (
    <>
      {decided.action === 'discard' ? (
        `${plural(decided.selected, 'dead letter')} discarded. `
      ) : (
        <ReplayOutcome decided={decided} />
      )}
      <AppLink
        to="/audit"
        search={{ action: decided.action === 'replay' ? 'dead_letters.replayed' : 'dead_letters.discarded' }}
        inherit
        underline="always"
      >
        View in audit log
      </AppLink>
    </>
  );
}

function ReplayOutcome({ decided: { selected, replayedBefore, at } }: { decided: Decided }) {
  const queryClient = useQueryClient();
  const { data: counts, dataUpdatedAt } = useQuery(deadLetterCountsQuery);
  const isCounted = counts !== undefined && dataUpdatedAt > at;
  const waiting = isCounted ? Math.min(selected, counts.replaying) : selected;
  const isDone = waiting === 0;
  useEffect(() => {
    if (isDone) void queryClient.invalidateQueries({ queryKey: ['dead-letters', '/api/v1/dead-letters'] });
  }, [isDone, queryClient]);
  if (!isCounted || !isDone) {
    const progress = `Replaying: ${describeExactly(selected - waiting)} of ${plural(selected, 'dead letter')} done. `;
    return (
      <>
        <progress max={selected} value={selected - waiting} aria-label="Replay" />
        <Text size="sm">{progress} If no sink is running, they wait.</Text>
      </>
    );
  }
  const stored = Math.max(0, Math.min(selected, counts.replayed - replayedBefore));
  const invalid = selected - stored;
  return (
    `Stored ${describeExactly(stored)} of ${plural(selected, 'dead letter')}. ` +
    (invalid === 0 ? '' : `${describeExactly(invalid)} still invalid: open again, with the new reason. `)
  );
}
