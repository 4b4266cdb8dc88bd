import { Table } from '@mantine/core';
import type { Cellar } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly, plural } from '../display/describe-number.ts';
import { Moment } from '../display/moment.tsx';
import { SkeletonRows } from '../display/skeleton-rows.tsx';

const COLUMNS = ['Name', 'Active keys', 'Retention', 'Created'];

/** @param isStale what is shown belongs to another search, until this one is answered */
export function CellarsTable({
  cellars,
  isStale,
}: {
  cellars: readonly Cellar[] | undefined;
  isStale: boolean;
}) {
  return (
    <Table
      className="rows-or-cards"
      aria-label="Cellars"
      aria-busy={cellars === undefined || isStale}
      highlightOnHover
    >
      <Table.Thead>
        <Table.Tr>
          {COLUMNS.map((column) => (
            <Table.Th key={column}>{column}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody opacity={isStale ? 0.6 : 1}>
        {cellars === undefined ? (
          <SkeletonRows columns={COLUMNS.length} />
        ) : (
          cellars.map((cellar) => <CellarRow key={cellar.name} cellar={cellar} />)
        )}
      </Table.Tbody>
    </Table>
  );
}

function CellarRow({ cellar }: { cellar: Cellar }) {
  const { name, activeKeys, retentionDays, createdAt } = cellar;
  return (
    <Table.Tr>
      <Table.Td>
        <AppLink to="/cellars/$cellar" params={{ cellar: name }} fw={600}>
          {name}
        </AppLink>
      </Table.Td>
      <Table.Td data-label="Active keys">{describeExactly(activeKeys)}</Table.Td>
      <Table.Td data-label="Retention">{plural(retentionDays, 'day')}</Table.Td>
      <Table.Td data-label="Created">
        <Moment at={createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}
