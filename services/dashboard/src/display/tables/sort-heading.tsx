import { Table, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';

export type Order = 'asc' | 'desc';

export interface SortHeadingProps {
  name: ReactNode;
  /** Undefined: the list is sorted by another column. */
  order: Order | undefined;
  /** The order after the first click. */
  first: Order;
  onSort: (order: Order) => void;
  /** Right-aligned, as the numbers below it. */
  isNumber?: boolean | undefined;
}

const ARIA = { asc: 'ascending', desc: 'descending' } as const;
const ARROW = { asc: '↑', desc: '↓' } as const;

export function SortHeading({ name, order, first, onSort, isNumber = false }: SortHeadingProps) {
  const next = order === undefined ? first : order === 'asc' ? 'desc' : 'asc';
  return (
    <Table.Th ta={isNumber ? 'right' : 'left'} aria-sort={order === undefined ? 'none' : ARIA[order]}>
      <UnstyledButton fz="inherit" fw="inherit" onClick={() => onSort(next)}>
        {name} <span aria-hidden>{order === undefined ? '' : ARROW[order]}</span>
      </UnstyledButton>
    </Table.Th>
  );
}
