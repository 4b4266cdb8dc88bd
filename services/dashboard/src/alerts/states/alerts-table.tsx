import { Table, Text } from '@mantine/core';
import type { Alert } from '../../api/resources.ts';
import { Status } from '../../display/status.tsx';
import { ListTable } from '../../display/tables/list-table.tsx';
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
  return (
    <ListTable
      label={label}
      expectedRows={2}
      columns={['Alert', 'State', 'Rule', ...(isHistory ? ['Fired', 'Resolved'] : ['Since'])]}
      isStale={isStale}
      rows={alerts?.map((alert) => (
        <Table.Tr key={alert.id}>
          <Table.Td>
            <Text span inherit fw={600}>
              {alert.subject.name}
            </Text>
            <Text size="xs" c="dimmed">
              {describeAlert(alert, kegs)}
            </Text>
          </Table.Td>
          <Table.Td data-label="State">
            <Status kind={STATES[alert.state].kind}>{STATES[alert.state].label}</Status>
          </Table.Td>
          <Table.Td data-label="Rule">{alert.rule.name}</Table.Td>
          {isHistory ? (
            <>
              <Table.Td data-label="Fired">
                <Moment at={alert.firedAt} />
              </Table.Td>
              <Table.Td data-label="Resolved">
                <div>
                  <Moment at={alert.resolvedAt} otherwise="Still firing" />
                  <Text size="xs" c="dimmed">
                    {describeResolution(alert)}
                  </Text>
                </div>
              </Table.Td>
            </>
          ) : (
            <Table.Td data-label="Since">
              <Moment at={alert.since} />
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    />
  );
}
