import { Checkbox, Code, Text } from '@mantine/core';
import type { Key } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly } from '../display/describe-number.ts';
import { LongName } from '../display/long-name.tsx';
import { present } from '../display/read-search.ts';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { RowActions } from '../display/tables/row-actions.tsx';
import { SmallPrint } from '../display/text.tsx';
import { Moment } from '../display/time/moment.tsx';
import type { Selection } from './bulk/use-selection.ts';
import classes from './bulk/selection.module.css';
import { USE_REPORTED_MINUTES } from './key-queries.ts';
import type { KeySort, KeysSearch } from './keys-search.ts';

export type KeyAction = 'revoke' | 'rotate' | 'edit';

export interface KeysTableProps {
  keys: readonly Key[] | undefined;
  search: KeysSearch;
  /** The cellar has more keys than can be sorted by their last use. */
  isLarge: boolean;
  /** The rows are those of the previous request. */
  isStale: boolean;
  show: (search: KeysSearch) => void;
  /** Undefined: no key can be selected. */
  selection: Selection | undefined;
  /** Undefined: the user cannot change keys. */
  act: ((action: KeyAction, key: Key) => void) | undefined;
}

type KeyColumn = Column<Key, KeySort>;

const EXPIRES: KeyColumn = {
  ...{ name: 'Expires', sort: 'expiresAt', width: '112px' },
  cell: ({ expiresAt }) => <Moment at={expiresAt} />,
};
/** In place of the expiry. */
const REVOKED: KeyColumn = {
  ...{ name: 'Revoked', width: '176px' },
  cell: ({ revokedAt, revokedBy }) => (
    <div>
      <Moment at={revokedAt} />
      <Text size="xs" c="dimmed" component="div">
        <LongName>{`by ${revokedBy ?? 'the system'}`}</LongName>
      </Text>
    </div>
  ),
};

export function KeysTable({ keys, search, isLarge, isStale, show, selection, act }: KeysTableProps) {
  const { sort = 'createdAt', order = 'desc', state, search: text } = search;
  const columns: KeyColumn[] = [
    ...(selection === undefined ? [] : [selectColumn(keys ?? [], selection)]),
    { name: 'Name', sort: 'name', isTitle: true, cell: (key) => <KeyName apiKey={key} keys={keys ?? []} /> },
    { name: 'Key', width: '116px', cell: ({ displayPrefix }) => <Code>{displayPrefix}…</Code> },
    {
      ...{ name: 'Created', sort: 'createdAt', width: '112px' },
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      ...{ name: 'Last used', width: '112px', ...(!isLarge && { sort: 'lastUsedAt' as const }) },
      cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} within={USE_REPORTED_MINUTES} />,
    },
    state === 'revoked' ? REVOKED : EXPIRES,
    { name: 'Scopes', width: '108px', cell: ({ scopes }) => scopes.join(', ') },
    {
      ...{ name: 'Rate limit', width: '104px' },
      cell: ({ rateLimit }) => (rateLimit === null ? 'Default' : `${describeExactly(rateLimit.perSecond)}/s`),
    },
  ];
  return (
    <ListTable
      label="API keys"
      columns={columns}
      sorting={{
        by: sort,
        order,
        change: (by, next) => show(present({ state, search: text, sort: by, order: next })),
      }}
      rows={keys}
      keyOf={({ id }) => id}
      actions={act && ((key) => <KeyActions apiKey={key} act={act} />)}
      actionsWidth="164px"
      isStale={isStale}
    />
  );
}

function selectColumn(keys: readonly Key[], { has, set }: Selection): KeyColumn {
  const selected = keys.filter(({ id }) => has(id)).length;
  const isAll = selected > 0 && selected === keys.length;
  return {
    name: 'Select',
    isTitle: true,
    width: '40px',
    className: classes.cell,
    heading: (
      <Checkbox
        size="xs"
        aria-label="Select all keys on this page"
        checked={isAll}
        indeterminate={selected > 0 && !isAll}
        onChange={() => set(keys, !isAll)}
      />
    ),
    cell: (key) => (
      <Checkbox
        size="xs"
        aria-label={`Select ${key.name}`}
        checked={has(key.id)}
        onChange={(event) => set([key], event.currentTarget.checked)}
      />
    ),
  };
}

function KeyName({ apiKey, keys }: { apiKey: Key; keys: readonly Key[] }) {
  const { cellar, id, name, rack, rackPrefix, rotatedFrom } = apiKey;
  const replaced = keys.find((other) => other.id === rotatedFrom);
  return (
    <>
      <Text component="div" inherit fw={600}>
        <AppLink to="/cellars/$cellar/keys/$id" params={{ cellar, id }} inherit>
          <LongName>{name}</LongName>
        </AppLink>
      </Text>
      {(rack !== null || rackPrefix !== null) && (
        <Text size="xs" c="dimmed" component="div">
          <LongName>{rack === null ? `${rackPrefix ?? ''}*` : `${rack} only`}</LongName>
        </Text>
      )}
      {rotatedFrom !== null && (
        <SmallPrint>
          replaces {replaced === undefined ? 'an older key' : `${replaced.displayPrefix}…`}
        </SmallPrint>
      )}
    </>
  );
}

function KeyActions({ apiKey, act }: { apiKey: Key; act: NonNullable<KeysTableProps['act']> }) {
  const { name, state } = apiKey;
  const actions = [
    { label: 'Revoke', run: () => act('revoke', apiKey) },
    { label: 'Edit', run: () => act('edit', apiKey) },
    { label: 'Rotate', run: () => act('rotate', apiKey) },
  ];
  if (state === 'revoked') return null;
  return (
    <RowActions of={name} size="compact-sm" actions={state === 'active' ? actions : actions.slice(0, 2)} />
  );
}
