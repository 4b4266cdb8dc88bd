import { Checkbox, Table } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Key } from '../api/resources.ts';
import { present } from '../display/read-search.ts';
import { ListTable } from '../display/tables/list-table.tsx';
import { SortHeading } from '../display/tables/sort-heading.tsx';
import type { Selection } from './bulk/use-selection.ts';
import { KeyRow } from './key-row.tsx';
import type { KeyAction } from './key-row.tsx';
import type { KeySort, KeysSearch } from './keys-search.ts';

export interface KeysTableProps {
  keys: readonly Key[] | undefined;
  search: KeysSearch;
  /** The rows are those of the previous request. */
  isStale: boolean;
  show: (search: KeysSearch) => void;
  /** Undefined: no key can be selected. */
  selection: Selection | undefined;
  /** Undefined: the user cannot change keys. */
  act: ((action: KeyAction, key: Key) => void) | undefined;
}

interface Column {
  name: string;
  sort?: KeySort;
  width?: string;
}

const COLUMNS: readonly Column[] = [
  { name: 'Name', sort: 'name' },
  { name: 'Key', width: '116px' },
  { name: 'Created', sort: 'createdAt', width: '112px' },
  { name: 'Last used', sort: 'lastUsedAt', width: '112px' },
  { name: 'Expires', sort: 'expiresAt', width: '112px' },
  { name: 'Scopes', width: '108px' },
  { name: 'Rate limit', width: '104px' },
];
const ACTIONS_WIDTH = '148px';
/** In place of the expiry. */
const REVOKED: Column = { name: 'Revoked', width: '176px' };

export function KeysTable({ keys, search, isStale, show, selection, act }: KeysTableProps) {
  const { sort = 'createdAt', order = 'desc', state, search: text } = search;
  const columns = COLUMNS.map((column) =>
    state === 'revoked' && column.sort === 'expiresAt' ? REVOKED : column,
  );
  const heading = (column: Column): ReactElement =>
    column.sort === undefined ? (
      <Table.Th key={column.name}>{column.name}</Table.Th>
    ) : (
      <SortHeading
        key={column.name}
        name={column.name}
        order={column.sort === sort ? order : undefined}
        // Dates start with the latest, names with A.
        first={column.sort === 'name' ? 'asc' : 'desc'}
        onSort={(next) => show(present({ state, search: text, sort: column.sort, order: next }))}
      />
    );
  return (
    <ListTable
      label="API keys"
      columns={[
        ...(selection === undefined ? [] : [selectAll(keys ?? [], selection)]),
        ...columns.map(heading),
      ]}
      widths={[
        ...(selection === undefined ? [] : ['40px']),
        ...columns.map(({ width }) => width),
        ...(act === undefined ? [] : [ACTIONS_WIDTH]),
      ]}
      hasActions={act !== undefined}
      rows={keys?.map((key) => (
        <KeyRow
          key={key.id}
          apiKey={key}
          replaced={keys.find(({ id }) => id === key.rotatedFrom)}
          selection={selection}
          act={act}
        />
      ))}
      isStale={isStale}
    />
  );
}

function selectAll(keys: readonly Key[], { has, set }: Selection): ReactElement {
  const selected = keys.filter(({ id }) => has(id)).length;
  const isAll = selected > 0 && selected === keys.length;
  return (
    <Table.Th key="select">
      <Checkbox
        size="xs"
        aria-label="Select all keys on this page"
        checked={isAll}
        indeterminate={selected > 0 && !isAll}
        onChange={() => set(keys, !isAll)}
      />
    </Table.Th>
  );
}
