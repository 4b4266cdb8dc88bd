import { Table, Text } from '@mantine/core';
import { describeExactly } from '../display/describe-number.ts';
import { describeLocal } from '../display/time/describe-time.ts';
import type { Bar } from './fill-buckets.ts';

/** The data of the chart as a table. */
export function CountsTable({ bars, stepName }: { bars: readonly Bar[]; stepName: string }) {
  const known = bars.filter((bar) => (bar.complete ?? bar.stillFilling ?? bar.rejected) !== null);
  return (
    <details>
      <Text component="summary" size="sm">
        Show as table
      </Text>
      <Table aria-label={`Readings per ${stepName}`} mt="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Start</Table.Th>
            <Table.Th ta="right">Readings</Table.Th>
            <Table.Th ta="right">Rejected</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {known.toReversed().map(({ at, complete, stillFilling, rejected }) => (
            <Table.Tr key={at}>
              <Table.Td>{describeLocal(new Date(at))}</Table.Td>
              <Table.Td ta="right">
                {stillFilling === null
                  ? describeExactly(complete ?? 0)
                  : `${describeExactly(stillFilling)}, still filling`}
              </Table.Td>
              <Table.Td ta="right">{describeExactly(rejected ?? 0)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}
