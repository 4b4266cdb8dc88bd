import { getRouteApi } from '@tanstack/react-router';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly } from '../display/describe-number.ts';
import { Status } from '../display/status.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { Moment } from '../display/time/moment.tsx';
import { present } from '../display/read-search.ts';
import { describeSilence } from '../rack/describe-reading.ts';
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
  /** When the list was loaded, in milliseconds since 1970. */
  now: number;
  isStale: boolean;
  show: (search: RacksSearch) => void;
}

const columnsAt = (now: number): Column<Rack, RackSort>[] => [
  { name: 'Rack', sort: 'rack', isTitle: true, cell: ({ rack }) => <RackLink rack={rack} /> },
  {
    name: 'Status',
    cell: ({ lastSeenAt }) =>
      describeSilence(lastSeenAt, now) === undefined ? (
        <Status kind="ok">Receiving</Status>
      ) : (
        <Status kind="bad">Silent</Status>
      ),
  },
  { name: 'Last seen', sort: 'lastSeenAt', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  {
    name: 'Last hour',
    heading: 'Readings, last hour',
    sort: 'readingsLastHour',
    isNumber: true,
    cell: ({ readingsLastHour }) => describeExactly(readingsLastHour),
  },
  { name: 'Kegs', isNumber: true, cell: ({ kegs }) => describeExactly(kegs) },
];

export function RacksTable({ racks, search, now, isStale, show }: RacksTableProps) {
  const { search: text, silent, sort = 'rack', order = 'asc' } = search;
  return (
    <ListTable
      label="Racks"
      columns={columnsAt(now)}
      sorting={{
        by: sort,
        order,
        change: (by, next) => show(present({ search: text, silent, sort: by, order: next })),
      }}
      rows={racks}
      keyOf={({ rack }) => rack}
      isStale={isStale}
    />
  );
}

function RackLink({ rack }: { rack: string }) {
  const { cellar } = route.useParams();
  return (
    <AppLink to="/cellars/$cellar/racks/$rack" params={{ cellar, rack }} inherit fw={600}>
      {rack}
    </AppLink>
  );
}
