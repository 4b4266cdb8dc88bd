import { Table, Text } from '@mantine/core';
import { describeExactly } from '../display/describe-number.ts';
import { describeLocal } from '../display/describe-time.ts';
import type { Bar } from './fill-buckets.ts';

/** What the chart shows, for whoever would rather read it. */
export function CountsTable({ bars, stepName }: { bars: readonly Bar[]; stepName: string }) {
  const known = bars.filter((bar) => (bar.complete ?? bar.stillFilling ?? bar.refused) !== null);
  return (
    <details>
      <Text component="summary" size="sm">
        The numbers as a table
      </Text>
      <Table aria-label={`Readings per ${stepName}`} mt="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>From</Table.Th>
            <Table.Th ta="right">Readings</Table.Th>
            <Table.Th ta="right">Refused</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {known.toReversed().map(({ at, complete, stillFilling, refused }) => (
            <Table.Tr key={at}>
              <Table.Td>{describeLocal(new Date(at))}</Table.Td>
              <Table.Td ta="right">
                {stillFilling === null
                  ? describeExactly(complete ?? 0)
                  : `${describeExactly(stillFilling)}, still filling`}
              </Table.Td>
              <Table.Td ta="right">{describeExactly(refused ?? 0)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}
