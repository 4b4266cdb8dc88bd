import { Button, Code, Table, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { describeCellars, describeRole } from '../access/describe-access.ts';
import type { ServiceToken } from '../api/resources.ts';
import { everySecond } from '../display/time/every-second.ts';
import { Moment } from '../display/time/moment.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import { KeyState } from '../keys/key-state.tsx';
import { RowActions } from '../display/tables/row-actions.tsx';
import { tokenState } from './token-state.ts';

export interface TokensTableProps {
  tokens: readonly ServiceToken[] | undefined;
  isStale: boolean;
  revoke: (token: ServiceToken) => void;
}

export function TokensTable({ tokens, isStale, revoke }: TokensTableProps) {
  return (
    <ListTable
      label="Service tokens"
      expectedRows={3}
      columns={['Name', 'Token', 'Role', 'Cellars', 'Created', 'Last used', 'Expires']}
      hasActions
      rows={tokens?.map((token) => (
        <TokenRow key={token.id} token={token} revoke={revoke} />
      ))}
      isStale={isStale}
    />
  );
}

function TokenRow({ token, revoke }: { token: ServiceToken; revoke: TokensTableProps['revoke'] }) {
  const { name, displayPrefix, createdAt, createdBy, lastUsedAt, expiresAt } = token;
  const state = useSyncExternalStore(everySecond, () => tokenState(token, Date.now()));
  return (
    <Table.Tr>
      <Table.Td>
        <Text span inherit fw={600}>
          {name}
        </Text>
      </Table.Td>
      <Table.Td data-label="Token">
        <Code>{displayPrefix}…</Code>
      </Table.Td>
      <Table.Td data-label="Role">{describeRole(token)}</Table.Td>
      <Table.Td data-label="Cellars">{describeCellars(token)}</Table.Td>
      <Table.Td data-label="Created">
        <div>
          <Moment at={createdAt} />
          <Text size="xs" c="dimmed">
            by {createdBy}
          </Text>
        </div>
      </Table.Td>
      <Table.Td data-label="Last used">
        <Moment at={lastUsedAt} />
      </Table.Td>
      <Table.Td data-label="Expires">
        <Moment at={expiresAt} />
      </Table.Td>
      <Table.Td>
        <RowActions>
          {state === 'active' ? (
            <Button size="xs" variant="default" aria-label={`Revoke ${name}`} onClick={() => revoke(token)}>
              Revoke
            </Button>
          ) : (
            <KeyState state={state} />
          )}
        </RowActions>
      </Table.Td>
    </Table.Tr>
  );
}
