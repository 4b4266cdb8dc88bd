import { Table, Text } from '@mantine/core';
import type { Pipeline } from '../api/resources.ts';
import { describeExactly } from '../display/describe-number.ts';
import { Status } from '../display/status.tsx';
import { ListTable, numberHeading } from '../display/tables/list-table.tsx';

const COLUMNS = ['Partition', 'In sync', 'Leader', 'Consumed by', numberHeading('Lag')];

/** A row for each partition of the readings topic. Undefined: loading. */
export function PartitionsTable({ kafka }: { kafka: Pipeline['kafka'] | undefined }) {
  if (kafka !== undefined && kafka.ageSeconds === null) {
    return <Text c="dimmed">Unknown: no sink has described the partitions in the last 30 seconds.</Text>;
  }
  return (
    <ListTable
      label="Partitions"
      columns={COLUMNS}
      expectedRows={6}
      rows={kafka?.partitions.map(({ partition, lag, inSync, replicas, leader, sink }) => (
        <Table.Tr key={partition}>
          <Table.Td>
            <Text span inherit fw={600}>
              {partition}
            </Text>
          </Table.Td>
          <Table.Td data-label="In sync">
            <Status kind={inSync < replicas ? 'warn' : 'ok'}>{`${inSync} of ${replicas}`}</Status>
          </Table.Td>
          <Table.Td data-label="Leader">{leader === null ? 'none' : `broker ${leader}`}</Table.Td>
          <Table.Td data-label="Consumed by">{sink ?? 'none'}</Table.Td>
          <Table.Td data-label="Lag" ta="right">
            {lag === null ? 'unknown' : describeExactly(lag)}
          </Table.Td>
        </Table.Tr>
      ))}
    />
  );
}
