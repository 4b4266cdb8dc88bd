import { Text } from '@mantine/core';
import type { Pipeline } from '../api/resources.ts';
import { describeExactly } from '../display/describe-number.ts';
import { Status } from '../display/status.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { Strong } from '../display/text.tsx';

const COLUMNS: Column<Pipeline['kafka']['partitions'][number]>[] = [
  { name: 'Partition', isTitle: true, cell: ({ partition }) => <Strong>{partition}</Strong> },
  {
    name: 'In sync',
    cell: ({ inSync, replicas }) => (
      <Status kind={inSync < replicas ? 'warn' : 'ok'}>{`${inSync} of ${replicas}`}</Status>
    ),
  },
  { name: 'Leader', cell: ({ leader }) => (leader === null ? 'none' : `broker ${leader}`) },
  { name: 'Consumed by', cell: ({ sink }) => sink ?? 'none' },
  { name: 'Lag', isNumber: true, cell: ({ lag }) => (lag === null ? 'unknown' : describeExactly(lag)) },
];

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
      rows={kafka?.partitions}
      keyOf={({ partition }) => partition}
    />
  );
}
