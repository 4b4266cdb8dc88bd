import { Table } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly } from '../display/describe-number.ts';
import { ListTable, numberHeading } from '../display/tables/list-table.tsx';
import { Moment } from '../display/time/moment.tsx';
import { present } from '../display/read-search.ts';
import { SortHeading } from '../display/tables/sort-heading.tsx';
import type { RackSort, RacksSearch } from './racks-search.ts';

const route = getRouteApi('/signed-in/cellars/$cellar/racks');

interface Rack {
  rack: string;
  lastSeenAt: string;
  readingsLastHour: number;
  kegs: number;
}

export interface RacksTableProps {
  racks: readonly Rack[] | undefined;
  search: RacksSearch;
  isStale: boolean;
  show: (search: RacksSearch) => void;
}

const COLUMNS: { name: string; sort: RackSort; isNumber?: boolean }[] = [
  { name: 'Rack', sort: 'rack' },
  { name: 'Last seen', sort: 'lastSeenAt' },
  { name: 'Readings, last hour', sort: 'readingsLastHour', isNumber: true },
];

export function RacksTable({ racks, search, isStale, show }: RacksTableProps) {
  const { cellar } = route.useParams();
  const { search: text, silent, sort = 'rack', order = 'asc' } = search;
  const headings = COLUMNS.map((column) => (
    <SortHeading
      key={column.name}
      name={column.name}
      isNumber={column.isNumber}
      order={column.sort === sort ? order : undefined}
      first={column.sort === 'rack' ? 'asc' : 'desc'}
      onSort={(next) => show(present({ search: text, silent, sort: column.sort, order: next }))}
    />
  ));
  return (
    <ListTable
      label="Racks"
      columns={[...headings, numberHeading('Kegs')]}
      rows={racks?.map(({ rack, lastSeenAt, readingsLastHour, kegs }) => (
        <Table.Tr key={rack}>
          <Table.Td>
            <AppLink to="/cellars/$cellar/racks/$rack" params={{ cellar, rack }} inherit fw={600}>
              {rack}
            </AppLink>
          </Table.Td>
          <Table.Td data-label="Last seen">
            <Moment at={lastSeenAt} />
          </Table.Td>
          <Table.Td data-label="Last hour" ta="right">
            {describeExactly(readingsLastHour)}
          </Table.Td>
          <Table.Td data-label="Kegs" ta="right">
            {describeExactly(kegs)}
          </Table.Td>
        </Table.Tr>
      ))}
      isStale={isStale}
    />
  );
}
