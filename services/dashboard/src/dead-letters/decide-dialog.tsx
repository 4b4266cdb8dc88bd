import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { plural } from '../display/describe-number.ts';
import { ConfirmDialog } from '../display/dialogs/dialogs.tsx';
import { Problem } from '../display/problems/load-problem.tsx';
import { present } from '../display/read-search.ts';
import { deadLetterCountsQuery, decide, dryRunQuery } from './dead-letters-queries.ts';
import type { DeadLetterAction, Selection } from './dead-letters-queries.ts';

export interface Decided {
  action: DeadLetterAction;
  selected: number;
  /** How many had been replayed before. */
  replayedBefore: number;
  /** In milliseconds since 1970. */
  at: number;
}

export interface DecideDialogProps {
  action: DeadLetterAction;
  selection: Selection;
  close: () => void;
  /** Closes the dialog and shows the outcome. */
  finish: (decided: Decided) => void;
}

const TEXTS = {
  replay:
    'The sink validates the payloads again and stores each valid reading once. Payloads that are still invalid are open again, with the new reason. Truncated payloads are left out.',
  discard:
    "Discarded dead letters can't be replayed. This can't be undone. Kafka keeps the messages for 30 days.",
};

/** Shows how many dead letters an action selects, and requires a confirmation. */
export function DecideDialog({ action, selection, close, finish }: DecideDialogProps) {
  const queryClient = useQueryClient();
  const { data: found, error } = useQuery(dryRunQuery(action, selection));
  const count = found?.selected;
  const verb = action === 'replay' ? 'Replay' : 'Discard';
  const what = count === undefined ? 'dead letters' : plural(count, 'dead letter');
  const work = async (): Promise<void> => {
    const before = await queryClient.query({ ...deadLetterCountsQuery, staleTime: 0 });
    const { selected } = await decide(action, { ...selection, ...present({ asOf: found?.asOf }) });
    finish({ action, selected, replayedBefore: before.replayed, at: Date.now() });
  };
  return (
    <ConfirmDialog
      title={selection.ids === undefined ? `${verb} open dead letters?` : `${verb} this dead letter?`}
      submit={`${verb} ${what}`}
      what={`${action} the dead letters`}
      work={work}
      close={close}
      isHarmful={action === 'discard'}
      isReady={count !== undefined && count > 0}
    >
      <Problem error={error} what="count the dead letters" />
      {selection.ids === undefined && (
        <Text role="status">
          {count === undefined ? 'Counting…' : `${plural(count, 'open dead letter')} `}
          {selection.reason !== undefined && `with “${selection.reason}” in the reason `}
          {count === 1 ? 'is selected.' : 'are selected.'}
        </Text>
      )}
      <Text>{TEXTS[action]}</Text>
    </ConfirmDialog>
  );
}
