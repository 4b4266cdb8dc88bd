import { Skeleton, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Cellar } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly } from '../display/describe-number.ts';
import { LongName } from '../display/long-name.tsx';
import { Status } from '../display/status.tsx';
import { ListTable, numberHeading } from '../display/tables/list-table.tsx';
import { Moment } from '../display/time/moment.tsx';
import { NO_ACTIVITY } from './activity.ts';
import type { Activity } from './activity.ts';
import { cellarStatus, rejectedShare } from './cellar-status.ts';
import { HoursLine } from './hours-line.tsx';

export interface CellarsTableProps {
  cellars: readonly Cellar[] | undefined;
  /** By cellar name. It comes from another service; the list works without it. */
  activity: ReadonlyMap<string, Activity> | 'loading' | 'unknown';
  /** When the activity was loaded, in milliseconds since 1970. */
  now: number;
  /** The rows are those of the previous search. */
  isStale: boolean;
}

const COLUMNS = [
  'Name',
  'Status',
  'Last reading',
  'Last 24 hours',
  numberHeading('Readings/min'),
  numberHeading('Silent racks'),
  numberHeading('Rejected'),
  numberHeading('Active keys'),
];
const WIDTHS = [undefined, '148px', '120px', '128px', '124px', '116px', '104px', '112px'];

export function CellarsTable({ cellars, activity, now, isStale }: CellarsTableProps) {
  return (
    <ListTable
      label="Cellars"
      columns={COLUMNS}
      widths={WIDTHS}
      rows={cellars?.map((cellar) => (
        <CellarRow key={cellar.name} cellar={cellar} activity={activity} now={now} />
      ))}
      isStale={isStale}
    />
  );
}

interface CellarRowProps extends Pick<CellarsTableProps, 'activity' | 'now'> {
  cellar: Cellar;
}

function CellarRow({ cellar, activity, now }: CellarRowProps) {
  const { name, activeKeys, rejectedLastHour } = cellar;
  const known = typeof activity === 'string' ? undefined : (activity.get(name) ?? NO_ACTIVITY);
  const ifKnown = (show: (of: Activity) => ReactNode): ReactNode =>
    known === undefined ? <Missing isLoading={activity === 'loading'} /> : show(known);
  return (
    <Table.Tr>
      <Table.Td>
        <AppLink to="/cellars/$cellar" params={{ cellar: name }} inherit fw={600}>
          <LongName>{name}</LongName>
        </AppLink>
      </Table.Td>
      <Table.Td data-label="Status">
        {ifKnown((of) => {
          const { kind, word } = cellarStatus(of, rejectedLastHour, now);
          return <Status kind={kind}>{word}</Status>;
        })}
      </Table.Td>
      <Table.Td data-label="Last reading">
        {ifKnown((of) => (
          <Moment at={of.lastReadingAt} />
        ))}
      </Table.Td>
      <Table.Td data-label="Last 24 hours">
        {ifKnown((of) => (
          <HoursLine hours={of.hours} />
        ))}
      </Table.Td>
      <Table.Td data-label="Readings/min" ta="right">
        {ifKnown((of) => describeRate(of.readingsLastHour / 60))}
      </Table.Td>
      <Table.Td data-label="Silent racks" ta="right">
        {ifKnown((of) => describeExactly(of.silentRacks))}
      </Table.Td>
      <Table.Td data-label="Rejected" ta="right">
        {ifKnown((of) => `${(rejectedShare(rejectedLastHour, of) * 100).toFixed(1)} %`)}
      </Table.Td>
      <Table.Td data-label="Active keys" ta="right">
        {describeExactly(activeKeys)}
      </Table.Td>
    </Table.Tr>
  );
}

function describeRate(perMinute: number): string {
  if (perMinute > 0 && perMinute < 0.1) return '< 0.1';
  return perMinute > 0 && perMinute < 10 ? perMinute.toFixed(1) : describeExactly(Math.round(perMinute));
}

function Missing({ isLoading }: { isLoading: boolean }) {
  if (isLoading) return <Skeleton height={20} width={72} display="inline-block" />;
  return (
    <Text span inherit c="dimmed">
      Unknown
    </Text>
  );
}
