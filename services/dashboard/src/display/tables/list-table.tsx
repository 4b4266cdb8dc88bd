import { Table } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { SkeletonRows } from './skeleton-rows.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import classes from './list-table.module.css';

export interface ListTableProps {
  label: string;
  /** Names, or heading elements (with a key). */
  columns: readonly (string | ReactElement)[];
  /** CSS widths in the order of the columns, the one of the actions last. They keep columns still while data arrives. */
  widths?: readonly (string | undefined)[];
  /** The last column has actions; its heading is for screen readers only. */
  hasActions?: boolean;
  /** Undefined: loading. */
  rows: readonly ReactNode[] | undefined;
  /** Number of skeleton rows. */
  expectedRows?: number;
  /** The rows are those of the previous request. */
  isStale?: boolean;
}

/** A list with a sticky header. On a narrow screen each row is a card, see style.css. */
export function ListTable(props: ListTableProps) {
  const { label, columns, widths, hasActions = false, rows, expectedRows = 5, isStale = false } = props;
  const body = useKeptFocus();
  return (
    <div className={classes.card}>
      <Table
        className={`rows-or-cards ${classes.table ?? ''}`}
        aria-label={label}
        aria-busy={rows === undefined || isStale}
        layout={widths === undefined ? 'auto' : 'fixed'}
        highlightOnHover
      >
        {widths !== undefined && (
          <colgroup>
            {widths.map((width, column) => (
              <col key={column} style={{ width }} />
            ))}
          </colgroup>
        )}
        <Table.Thead className={classes.head}>
          <Table.Tr>
            {columns.map((column) =>
              typeof column === 'string' ? <Table.Th key={column}>{column}</Table.Th> : column,
            )}
            {hasActions && (
              <Table.Th>
                <span className={classes.hidden}>Actions</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody opacity={isStale ? 0.6 : 1} ref={body}>
          {rows ?? <SkeletonRows columns={columns.length + (hasActions ? 1 : 0)} rows={expectedRows} />}
        </Table.Tbody>
      </Table>
    </div>
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
