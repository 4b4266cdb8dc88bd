import { Skeleton, Table, Text } from '@mantine/core';
import type { Cellar } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly, plural } from '../display/describe-number.ts';
import { ListTable, numberHeading } from '../display/tables/list-table.tsx';
import { Moment } from '../display/time/moment.tsx';
import type { Activity } from './activity-query.ts';

export interface CellarsTableProps {
  cellars: readonly Cellar[] | undefined;
  /** By cellar name. It comes from another service; the list works without it. */
  activity: ReadonlyMap<string, Activity> | 'loading' | 'unknown';
  /** The rows are those of the previous search. */
  isStale: boolean;
}

const COLUMNS = [
  'Name',
  'Last reading',
  numberHeading('Readings, last hour'),
  numberHeading('Active keys'),
  numberHeading('Retention'),
];

export function CellarsTable({ cellars, activity, isStale }: CellarsTableProps) {
  return (
    <ListTable
      label="Cellars"
      columns={COLUMNS}
      rows={cellars?.map((cellar) => (
        <CellarRow key={cellar.name} cellar={cellar} activity={activity} />
      ))}
      isStale={isStale}
    />
  );
}

function CellarRow({ cellar, activity }: { cellar: Cellar; activity: CellarsTableProps['activity'] }) {
  const { name, activeKeys, retentionDays } = cellar;
  const present = typeof activity === 'string' ? activity : (activity.get(name) ?? NOTHING);
  return (
    <Table.Tr>
      <Table.Td>
        <AppLink to="/cellars/$cellar" params={{ cellar: name }} inherit fw={600}>
          {name}
        </AppLink>
      </Table.Td>
      <Table.Td data-label="Last reading">
        {typeof present === 'string' ? <Missing why={present} /> : <Moment at={present.lastReadingAt} />}
      </Table.Td>
      <Table.Td data-label="Last hour" ta="right">
        {typeof present === 'string' ? <Missing why={present} /> : describeExactly(present.readingsLastHour)}
      </Table.Td>
      <Table.Td data-label="Active keys" ta="right">
        {describeExactly(activeKeys)}
      </Table.Td>
      <Table.Td data-label="Retention" ta="right">
        {plural(retentionDays, 'day')}
      </Table.Td>
    </Table.Tr>
  );
}

const NOTHING: Activity = { readingsLastHour: 0, lastReadingAt: null };

function Missing({ why }: { why: 'loading' | 'unknown' }) {
  if (why === 'loading') return <Skeleton height={22} width={72} display="inline-block" />;
  return (
    <Text span inherit c="dimmed">
      Unknown
    </Text>
  );
}
