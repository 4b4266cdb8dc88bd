import { Badge, Button, Code, Menu, Table, Text } from '@mantine/core';
import type { Key } from '../api/resources.ts';
import { describeExactly } from '../display/describe-number.ts';
import { ListTable } from '../display/tables/list-table.tsx';
import { Moment } from '../display/time/moment.tsx';
import { present } from '../display/read-search.ts';
import { RowActions } from '../display/tables/row-actions.tsx';
import { SortHeading } from '../display/tables/sort-heading.tsx';
import type { KeySort, KeysSearch } from './keys-search.ts';

export type KeyAction = 'revoke' | 'rotate' | 'expiry';

export interface KeysTableProps {
  keys: readonly Key[] | undefined;
  search: KeysSearch;
  /** The rows are those of the previous request. */
  isStale: boolean;
  show: (search: KeysSearch) => void;
  act: (action: KeyAction, key: Key) => void;
}

const COLUMNS: { name: string; sort?: KeySort }[] = [
  { name: 'Name', sort: 'name' },
  { name: 'Key' },
  { name: 'Created', sort: 'createdAt' },
  { name: 'Last used', sort: 'lastUsedAt' },
  { name: 'Expires', sort: 'expiresAt' },
  { name: 'Scopes' },
  { name: 'Rate limit' },
];

export function KeysTable({ keys, search, isStale, show, act }: KeysTableProps) {
  const { sort = 'createdAt', order = 'desc', state, search: text } = search;
  const headings = COLUMNS.map((column) =>
    column.sort === undefined ? (
      column.name
    ) : (
      <SortHeading
        key={column.name}
        name={column.name}
        order={column.sort === sort ? order : undefined}
        // Dates start with the latest, names with A.
        first={column.sort === 'name' ? 'asc' : 'desc'}
        onSort={(next) => show(present({ state, search: text, sort: column.sort, order: next }))}
      />
    ),
  );
  return (
    <ListTable
      label="API keys"
      columns={headings}
      hasActions
      rows={keys?.map((key) => (
        <KeyRow key={key.id} apiKey={key} act={act} />
      ))}
      isStale={isStale}
    />
  );
}

function KeyRow({ apiKey, act }: { apiKey: Key; act: KeysTableProps['act'] }) {
  const { name, displayPrefix, state, createdAt, lastUsedAt, expiresAt, scopes, rateLimit } = apiKey;
  return (
    <Table.Tr>
      <Table.Td>
        <Text span inherit fw={600}>
          {name}
        </Text>
        <Racks apiKey={apiKey} />
      </Table.Td>
      <Table.Td data-label="Key">
        <Code>{displayPrefix}…</Code>
      </Table.Td>
      <Table.Td data-label="Created">
        <Moment at={createdAt} />
      </Table.Td>
      <Table.Td data-label="Last used">
        <Moment at={lastUsedAt} />
      </Table.Td>
      <Table.Td data-label="Expires">
        <Moment at={expiresAt} />
      </Table.Td>
      <Table.Td data-label="Scopes">{scopes.join(', ')}</Table.Td>
      <Table.Td data-label="Rate limit">
        {rateLimit === null ? 'Default' : `${describeExactly(rateLimit.perSecond)}/s`}
      </Table.Td>
      <Table.Td>
        {state === 'revoked' ? (
          <Badge color="gray">Revoked</Badge>
        ) : (
          <RowActions>
            <Button
              size="xs"
              variant="default"
              aria-label={`Revoke ${name}`}
              onClick={() => act('revoke', apiKey)}
            >
              Revoke
            </Button>
            <Menu position="bottom-end">
              <Menu.Target>
                <Button size="xs" variant="subtle" aria-label={`More actions for ${name}`}>
                  More
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => act('expiry', apiKey)}>Change expiry</Menu.Item>
                {state === 'active' && <Menu.Item onClick={() => act('rotate', apiKey)}>Rotate</Menu.Item>}
              </Menu.Dropdown>
            </Menu>
          </RowActions>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Racks({ apiKey: { rack, rackPrefix } }: { apiKey: Key }) {
  if (rack === null && rackPrefix === null) return null;
  return (
    <Text size="xs" c="dimmed">
      {rack === null ? `racks ${rackPrefix ?? ''}*` : `rack ${rack} only`}
    </Text>
  );
}
