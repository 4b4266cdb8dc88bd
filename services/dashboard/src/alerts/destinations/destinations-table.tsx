import { Group } from '@mantine/core';
import type { AlertDestination } from '../../api/resources.ts';
import { Status } from '../../display/status.tsx';
import { ListTable } from '../../display/tables/list-table.tsx';
import type { Column } from '../../display/tables/list-table.tsx';
import { RowActions } from '../../display/tables/row-actions.tsx';
import { SmallPrint, Strong, Trouble } from '../../display/text.tsx';
import { Moment } from '../../display/time/moment.tsx';

export interface DestinationsTableProps {
  destinations: readonly AlertDestination[] | undefined;
  isOwner: boolean;
  test: (destination: AlertDestination) => void;
  edit: (destination: AlertDestination) => void;
  remove: (destination: AlertDestination) => void;
}

const COLUMNS: Column<AlertDestination>[] = [
  {
    name: 'Name',
    isTitle: true,
    cell: ({ name, kind }) => (
      <>
        <Strong>{name}</Strong>
        <SmallPrint>{kind === 'email' ? 'Email' : 'Webhook'}</SmallPrint>
      </>
    ),
  },
  { name: 'Target', cell: ({ target }) => target },
  { name: 'Rules', cell: ({ rules }) => rules },
  { name: 'Last notification', cell: (destination) => <Latest {...destination} /> },
];

export function DestinationsTable({ destinations, isOwner, test, edit, remove }: DestinationsTableProps) {
  return (
    <ListTable
      label="Destinations"
      expectedRows={1}
      columns={COLUMNS}
      rows={destinations}
      keyOf={({ id }) => id}
      actions={
        isOwner &&
        ((destination) => (
          <RowActions
            of={destination.name}
            actions={[
              { label: 'Test', run: () => test(destination) },
              { label: 'Edit', run: () => edit(destination) },
              { label: 'Delete', run: () => remove(destination) },
            ]}
          />
        ))
      }
    />
  );
}

const STATES = {
  delivered: { label: 'Delivered', kind: 'ok' },
  waiting: { label: 'Waiting', kind: 'warn' },
  failed: { label: 'Failed', kind: 'bad' },
} as const;

function Latest({ latest, waiting }: AlertDestination) {
  if (latest === null) return <>Never</>;
  const { label, kind } = STATES[latest.state];
  return (
    <div>
      <Group gap={6}>
        <Status kind={kind}>{label}</Status>
        <Moment at={latest.at} />
      </Group>
      {latest.error !== null && (
        <Trouble>
          {latest.error}
          {latest.state === 'waiting' && ` (attempt ${latest.attempts}, will retry)`}
        </Trouble>
      )}
      {waiting > 1 && <SmallPrint>{waiting} notifications are waiting</SmallPrint>}
    </div>
  );
}
