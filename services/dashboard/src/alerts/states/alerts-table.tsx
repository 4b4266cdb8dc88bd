import type { Alert } from '../../api/resources.ts';
import { Status } from '../../display/status.tsx';
import { ListTable } from '../../display/tables/list-table.tsx';
import type { Column } from '../../display/tables/list-table.tsx';
import { SmallPrint, Strong } from '../../display/text.tsx';
import { Moment } from '../../display/time/moment.tsx';
import { useKegSettings } from '../../kegs/keg-settings.ts';
import { describeAlert, describeResolution } from './describe-alert.ts';

const STATES = {
  firing: { label: 'Firing', kind: 'bad' },
  pending: { label: 'Pending', kind: 'warn' },
  resolved: { label: 'Resolved', kind: 'idle' },
} as const;

export interface AlertsTableProps {
  cellar: string;
  label: string;
  alerts: readonly Alert[] | undefined;
  isStale?: boolean;
  /** With the times at which they fired and were resolved. */
  isHistory?: boolean;
}

export function AlertsTable({ cellar, label, alerts, isStale = false, isHistory = false }: AlertsTableProps) {
  const kegs = useKegSettings(cellar);
  const columns: Column<Alert>[] = [
    {
      name: 'Alert',
      isTitle: true,
      cell: (alert) => (
        <>
          <Strong>{alert.subject.name}</Strong>
          <SmallPrint>{describeAlert(alert, kegs)}</SmallPrint>
        </>
      ),
    },
    {
      name: 'State',
      cell: ({ state }) => <Status kind={STATES[state].kind}>{STATES[state].label}</Status>,
    },
    { name: 'Rule', cell: ({ rule }) => rule.name },
    ...(isHistory ? HISTORY : [SINCE]),
  ];
  return (
    <ListTable
      label={label}
      expectedRows={2}
      columns={columns}
      rows={alerts}
      keyOf={({ id }) => id}
      isStale={isStale}
    />
  );
}

const SINCE: Column<Alert> = { name: 'Since', cell: ({ since }) => <Moment at={since} /> };

const HISTORY: Column<Alert>[] = [
  { name: 'Fired', cell: ({ firedAt }) => <Moment at={firedAt} /> },
  {
    name: 'Resolved',
    cell: (alert) => (
      <div>
        <Moment at={alert.resolvedAt} otherwise="Still firing" />
        <SmallPrint>{describeResolution(alert)}</SmallPrint>
      </div>
    ),
  },
];
