import { Button, Group, Menu, Table, Text } from '@mantine/core';
import type { AlertDestination } from '../../api/resources.ts';
import { Status } from '../../display/status.tsx';
import { ListTable } from '../../display/tables/list-table.tsx';
import { RowActions } from '../../display/tables/row-actions.tsx';
import { Moment } from '../../display/time/moment.tsx';

export interface DestinationsTableProps {
  destinations: readonly AlertDestination[] | undefined;
  isOwner: boolean;
  test: (destination: AlertDestination) => void;
  edit: (destination: AlertDestination) => void;
  remove: (destination: AlertDestination) => void;
}

export function DestinationsTable({ destinations, isOwner, test, edit, remove }: DestinationsTableProps) {
  return (
    <ListTable
      label="Destinations"
      expectedRows={1}
      columns={['Name', 'Target', 'Rules', 'Last notification']}
      hasActions={isOwner}
      rows={destinations?.map((destination) => (
        <Table.Tr key={destination.id}>
          <Table.Td>
            <Text span inherit fw={600}>
              {destination.name}
            </Text>
            <Text size="xs" c="dimmed">
              {destination.kind === 'email' ? 'Email' : 'Webhook'}
            </Text>
          </Table.Td>
          <Table.Td data-label="Target">{destination.target}</Table.Td>
          <Table.Td data-label="Rules">{destination.rules}</Table.Td>
          <Table.Td data-label="Last notification">
            <Latest destination={destination} />
          </Table.Td>
          {isOwner && (
            <Table.Td>
              <RowActions>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Test ${destination.name}`}
                  onClick={() => test(destination)}
                >
                  Test
                </Button>
                <Menu position="bottom-end">
                  <Menu.Target>
                    <Button size="xs" variant="subtle" aria-label={`More actions for ${destination.name}`}>
                      More
                    </Button>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item onClick={() => edit(destination)}>Edit</Menu.Item>
                    <Menu.Item onClick={() => remove(destination)}>Delete</Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              </RowActions>
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    />
  );
}

const STATES = {
  delivered: { label: 'Delivered', kind: 'ok' },
  waiting: { label: 'Waiting', kind: 'warn' },
  failed: { label: 'Failed', kind: 'bad' },
} as const;

function Latest({ destination: { latest, waiting } }: { destination: AlertDestination }) {
  if (latest === null) return <>Never</>;
  const { label, kind } = STATES[latest.state];
  return (
    <div>
      <Group gap={6}>
        <Status kind={kind}>{label}</Status>
        <Moment at={latest.at} />
      </Group>
      {latest.error !== null && (
        <Text size="xs" c="var(--mantine-color-error)">
          {latest.error}
          {latest.state === 'waiting' && ` (attempt ${latest.attempts}, will retry)`}
        </Text>
      )}
      {waiting > 1 && (
        <Text size="xs" c="dimmed">
          {waiting} notifications are waiting
        </Text>
      )}
    </div>
  );
}
