import { Table, Text } from '@mantine/core';
import type { Pipeline } from '../api/resources.ts';
import { Status } from '../display/status.tsx';
import type { StatusKind } from '../display/status-kind.ts';
import { ListTable, numberHeading } from '../display/tables/list-table.tsx';
import { describeMilliseconds, describeRate, describeSeconds } from './describe-status.ts';

type Replica = Pick<
  Pipeline['ingest']['replicas'][number],
  'process' | 'host' | 'version' | 'state' | 'reportAgeSeconds' | 'uptimeSeconds' | 'notReady'
>;

const COLUMNS = [
  'Replica',
  'State',
  'Version',
  'Up for',
  numberHeading('Readings'),
  numberHeading('p99'),
  numberHeading('Behind'),
  numberHeading('Last report'),
];

const KINDS: Record<Replica['state'], StatusKind> = {
  ready: 'ok',
  stopping: 'idle',
  'not ready': 'bad',
  silent: 'bad',
};

/** A row for each process of ingest and of the sink. Undefined: loading. */
export function ReplicasTable({ pipeline }: { pipeline: Pipeline | undefined }) {
  return (
    <ListTable
      label="Replicas"
      columns={COLUMNS}
      expectedRows={2}
      rows={
        pipeline && [
          ...pipeline.ingest.replicas.map((replica) => (
            <ReplicaRow
              key={replica.process}
              service="ingest"
              replica={replica}
              perSecond={replica.acceptedPerSecond}
              p99={replica.acknowledgeMs?.p99}
            />
          )),
          ...pipeline.sink.replicas.map((replica) => (
            <ReplicaRow
              key={replica.process}
              service="sink"
              replica={replica}
              perSecond={replica.storedPerSecond}
              p99={replica.storeMs?.p99}
              behind={replica.behindSeconds}
            />
          )),
        ]
      }
    />
  );
}

interface ReplicaRowProps {
  service: string;
  replica: Replica;
  perSecond: number | null;
  p99: number | undefined;
  behind?: number | null;
}

function ReplicaRow({ service, replica, perSecond, p99, behind }: ReplicaRowProps) {
  const { host, version, state, reportAgeSeconds, uptimeSeconds, notReady } = replica;
  return (
    <Table.Tr>
      <Table.Td>
        <Text span inherit fw={600}>
          {service}
        </Text>
        <Text size="xs" c="dimmed">
          {host}
        </Text>
      </Table.Td>
      <Table.Td data-label="State">
        <div>
          <Status kind={KINDS[state]}>{state}</Status>
          {notReady.map(({ part, reason }) => (
            <Text key={part} size="xs" c="dimmed">
              {part}: {reason}
            </Text>
          ))}
        </div>
      </Table.Td>
      <Table.Td data-label="Version">{version}</Table.Td>
      <Table.Td data-label="Up for">{describeSeconds(uptimeSeconds)}</Table.Td>
      <Table.Td data-label="Readings" ta="right">
        {describeRate(perSecond)}
      </Table.Td>
      <Table.Td data-label="p99" ta="right">
        {p99 === undefined || state === 'silent' ? '–' : describeMilliseconds(p99)}
      </Table.Td>
      <Table.Td data-label="Behind" ta="right">
        {behind === null || behind === undefined ? '–' : describeSeconds(behind)}
      </Table.Td>
      <Table.Td data-label="Last report" ta="right">
        {describeSeconds(reportAgeSeconds)} ago
      </Table.Td>
    </Table.Tr>
  );
}
