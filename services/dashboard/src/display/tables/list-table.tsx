import { Group, Skeleton, Table, UnstyledButton } from '@mantine/core';
import type { HTMLAttributes, Key, ReactNode } from 'react';
import { useKeptFocus } from './use-kept-focus.ts';
import classes from './list-table.module.css';

export interface Column<Row, Sort extends string = never> {
  name: string;
  cell: (row: Row, index: number) => ReactNode;
  /** It names the row: on a card it has no label, and the first click sorts it from A to Z. */
  isTitle?: boolean;
  /** Right-aligned. */
  isNumber?: boolean;
  /** CSS width. Widths keep columns still while data arrives. */
  width?: string | undefined;
  /** Its name in `sorting`. */
  sort?: Sort;
  /** In place of the name. */
  heading?: ReactNode;
  className?: string | undefined;
}

type Order = 'asc' | 'desc';

export interface Sorting<Sort> {
  by: Sort;
  order: Order;
  change: (by: Sort, order: Order) => void;
}

export interface ListTableProps<Row, Sort extends string> {
  label: string;
  columns: readonly Column<Row, Sort>[];
  /** Undefined: loading. */
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => Key;
  /** The last column. Its heading is for screen readers only. */
  actions?: ((row: Row) => ReactNode) | false | undefined;
  actionsWidth?: string;
  sorting?: Sorting<Sort>;
  /** Number of skeleton rows. */
  expectedRows?: number;
  /** The rows are those of the previous request. */
  isStale?: boolean;
  rowProps?: (row: Row, index: number) => HTMLAttributes<HTMLTableRowElement>;
  /** In place of all cells but the first. */
  noteOf?: (row: Row) => string | undefined;
  /** In a row of its own below. */
  detailsOf?: (row: Row) => ReactNode;
}

/** A list with a sticky header. On a narrow screen each row is a card, see style.css. */
export function ListTable<Row, Sort extends string = never>(props: ListTableProps<Row, Sort>) {
  const { label, rows, keyOf, actions, sorting, expectedRows = 5, isStale = false } = props;
  const body = useKeptFocus();
  const columns = [...props.columns];
  if (typeof actions === 'function') {
    const heading = <span className={classes.hidden}>Actions</span>;
    const cell = (row: Row) => (
      <Group gap="xs" className={classes.actions} wrap="nowrap">
        {actions(row)}
      </Group>
    );
    columns.push({ name: 'Actions', isTitle: true, cell, width: props.actionsWidth, heading });
  }
  const isFixed = columns.some(({ width }) => width !== undefined);
  return (
    <div className={classes.card}>
      <Table
        className={`rows-or-cards ${classes.table ?? ''}`}
        aria-label={label}
        aria-busy={rows === undefined || isStale}
        layout={isFixed ? 'fixed' : 'auto'}
        highlightOnHover
      >
        {isFixed && (
          <colgroup>
            {columns.map(({ name, width }) => (
              <col key={name} style={{ width }} />
            ))}
          </colgroup>
        )}
        <Table.Thead className={classes.head}>
          <Table.Tr>
            {columns.map((column) => (
              <Heading key={column.name} column={column} sorting={sorting} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody opacity={isStale ? 0.6 : 1} ref={body}>
          {rows?.map((row, index) => (
            <TableRow key={keyOf(row)} {...props} {...{ row, index, columns }} />
          )) ?? <SkeletonRows columns={columns.length} rows={expectedRows} />}
        </Table.Tbody>
      </Table>
    </div>
  );
}

const ARIA = { asc: 'ascending', desc: 'descending' } as const;
const ARROW = { asc: '↑', desc: '↓' } as const;

function Heading<Row, Sort extends string>(props: {
  column: Column<Row, Sort>;
  sorting: Sorting<Sort> | undefined;
}) {
  const { name, sort, isTitle = false, isNumber = false, heading = name } = props.column;
  const { sorting } = props;
  if (sorting === undefined || sort === undefined)
    return <Table.Th ta={isNumber ? 'right' : undefined}>{heading}</Table.Th>;
  const order = sort === sorting.by ? sorting.order : undefined;
  const first = isTitle ? 'asc' : 'desc';
  const next = order === undefined ? first : order === 'asc' ? 'desc' : 'asc';
  return (
    <Table.Th ta={isNumber ? 'right' : 'left'} aria-sort={order === undefined ? 'none' : ARIA[order]}>
      <UnstyledButton fz="inherit" fw="inherit" onClick={() => sorting.change(sort, next)}>
        {heading} <span aria-hidden>{order === undefined ? '' : ARROW[order]}</span>
      </UnstyledButton>
    </Table.Th>
  );
}

function TableRow<Row, Sort extends string>(
  props: Pick<ListTableProps<Row, Sort>, 'columns' | 'rowProps' | 'noteOf' | 'detailsOf'> & {
    row: Row;
    index: number;
  },
) {
  const { columns, row, index, rowProps, noteOf, detailsOf } = props;
  const note = noteOf?.(row);
  const details = detailsOf?.(row);
  return (
    <>
      <Table.Tr pos="relative" {...rowProps?.(row, index)}>
        {columns
          .slice(0, note === undefined ? undefined : 1)
          .map(({ name, cell, isTitle = false, isNumber = false, className }) => (
            <Table.Td
              key={name}
              data-label={isTitle ? undefined : name}
              ta={isNumber ? 'right' : undefined}
              className={className}
            >
              {cell(row, index)}
            </Table.Td>
          ))}
        {note !== undefined && (
          <Table.Td colSpan={columns.length - 1} c="dimmed">
            {note}
          </Table.Td>
        )}
      </Table.Tr>
      {details !== undefined && (
        <Table.Tr>
          <Table.Td colSpan={columns.length}>{details}</Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

/** Placeholder rows with the height of real ones. */
function SkeletonRows({ columns, rows }: { columns: number; rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <Table.Tr key={row} aria-hidden>
      {Array.from({ length: columns }, (_, column) => (
        <Table.Td key={column}>
          <Skeleton height={22} width={column === 0 ? '70%' : '50%'} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
