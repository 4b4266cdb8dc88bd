import { Skeleton, Table } from '@mantine/core';

/** Placeholder rows with the height of real ones. */
export function SkeletonRows({ columns, rows = 5 }: { columns: number; rows?: number }) {
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
