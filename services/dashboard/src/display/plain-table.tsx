import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { SkeletonRows } from './skeleton-rows.tsx';

export interface PlainTableProps {
  label: string;
  columns: readonly string[];
  /** Stands last, with a heading that only screen readers need. */
  hasActions?: boolean;
  /** A row for each thing. Undefined: they are on their way. */
  rows: readonly ReactNode[] | undefined;
  /** The rows belong to another choice, until this one is answered. */
  isStale?: boolean;
}

/** A list in one order. On a narrow screen each row is a card, see style.css. */
export function PlainTable({ label, columns, hasActions = false, rows, isStale = false }: PlainTableProps) {
  return (
    <Table className="rows-or-cards" aria-label={label} aria-busy={rows === undefined || isStale}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column}>{column}</Table.Th>
          ))}
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
        {rows ?? <SkeletonRows columns={columns.length + (hasActions ? 1 : 0)} rows={3} />}
      </Table.Tbody>
    </Table>
  );
}
