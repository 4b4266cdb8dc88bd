import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Cellar } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { describeActiveKeys, describeExactly } from '../display/describe-number.ts';
import { LongName } from '../display/long-name.tsx';
import { Status } from '../display/status.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { Moment } from '../display/time/moment.tsx';
import { SILENT_RACKS } from '../racks/racks-search.ts';
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

export function CellarsTable({ cellars, activity, now, isStale }: CellarsTableProps) {
  const ifKnown = (show: (of: Activity, cellar: Cellar) => ReactNode) => (cellar: Cellar) => {
    if (typeof activity === 'string') return <Missing isLoading={activity === 'loading'} />;
    return show(activity.get(cellar.name) ?? NO_ACTIVITY, cellar);
  };
  const columns: Column<Cellar>[] = [
    { name: 'Name', isTitle: true, cell: CellarLink },
    {
      ...{ name: 'Status', width: '148px' },
      cell: ifKnown((of, { rejectedLastHour }) => {
        const { kind, word } = cellarStatus(of, rejectedLastHour, now);
        return <Status kind={kind}>{word}</Status>;
      }),
    },
    {
      ...{ name: 'Last reading', width: '120px' },
      cell: ifKnown(({ lastReadingAt }) => <Moment at={lastReadingAt} />),
    },
    {
      ...{ name: 'Last 24 hours', width: '128px' },
      cell: ifKnown(({ hours }) => <HoursLine hours={hours} />),
    },
    {
      ...{ name: 'Readings/min', isNumber: true, width: '124px' },
      cell: ifKnown(({ readingsLastHour }) => describeRate(readingsLastHour / 60)),
    },
    {
      ...{ name: 'Silent racks', isNumber: true, width: '116px' },
      cell: ifKnown(({ silentRacks }, { name }) =>
        silentRacks === 0 ? (
          '0'
        ) : (
          <AppLink to="/cellars/$cellar/racks" params={{ cellar: name }} search={SILENT_RACKS} inherit>
            {describeExactly(silentRacks)}
          </AppLink>
        ),
      ),
    },
    {
      ...{ name: 'Rejected', isNumber: true, width: '104px' },
      cell: ifKnown(
        (of, { rejectedLastHour }) => `${(rejectedShare(rejectedLastHour, of) * 100).toFixed(1)} %`,
      ),
    },
    {
      ...{ name: 'Active keys', isNumber: true, width: '112px' },
      cell: ({ activeKeys }) => describeActiveKeys(activeKeys),
    },
  ];
  return (
    <ListTable
      label="Cellars"
      columns={columns}
      rows={cellars}
      keyOf={({ name }) => name}
      isStale={isStale}
    />
  );
}

function CellarLink({ name }: Cellar) {
  return (
    <AppLink to="/cellars/$cellar" params={{ cellar: name }} inherit fw={600}>
      <LongName>{name}</LongName>
    </AppLink>
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
