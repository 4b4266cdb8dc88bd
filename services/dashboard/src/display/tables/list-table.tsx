import { Table, Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { SkeletonRows } from './skeleton-rows.tsx';

export interface ListTableProps {
  label: string;
  /** Names, or heading elements (with a key). */
  columns: readonly (string | ReactElement)[];
  /** The last column has actions; its heading is for screen readers only. */
  hasActions?: boolean;
  /** Undefined: loading. */
  rows: readonly ReactNode[] | undefined;
  /** Number of skeleton rows. */
  expectedRows?: number;
  /** The rows are those of the previous request. */
  isStale?: boolean;
}

/** A list. On a narrow screen each row is a card, see style.css. */
export function ListTable(props: ListTableProps) {
  const { label, columns, hasActions = false, rows, expectedRows = 5, isStale = false } = props;
  return (
    <Table className="rows-or-cards" aria-label={label} aria-busy={rows === undefined || isStale}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) =>
            typeof column === 'string' ? <Table.Th key={column}>{column}</Table.Th> : column,
          )}
          {hasActions && (
            <Table.Th>
              <Text span fz={0}>
                Actions
              </Text>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody opacity={isStale ? 0.6 : 1}>
        {rows ?? <SkeletonRows columns={columns.length + (hasActions ? 1 : 0)} rows={expectedRows} />}
      </Table.Tbody>
    </Table>
  );
}

/** A right-aligned heading for numbers. */
export function numberHeading(name: string): ReactElement {
  return (
    <Table.Th key={name} ta="right">
      {name}
    </Table.Th>
  );
}
