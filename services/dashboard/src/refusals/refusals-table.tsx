import { Code, Table, Text } from '@mantine/core';
import type { Refusal } from '../api/resources.ts';
import { describeExactly } from '../display/describe-number.ts';
import { Moment } from '../display/moment.tsx';
import { SkeletonRows } from '../display/skeleton-rows.tsx';
import { describeRefusal } from './describe-refusal.ts';

const COLUMNS = ['Why', 'Field', 'Key', 'Last rack', 'Times', 'Last'];

/** What was refused, a row for each kind. Undefined: it is on its way. */
export function RefusalsTable({ refusals }: { refusals: readonly Refusal[] | undefined }) {
  return (
    <Table className="rows-or-cards" aria-label="Refused" aria-busy={refusals === undefined}>
      <Table.Thead>
        <Table.Tr>
          {COLUMNS.map((name) => (
            <Table.Th key={name} ta={name === 'Times' ? 'right' : undefined}>
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {refusals === undefined ? (
          <SkeletonRows columns={COLUMNS.length} />
        ) : (
          refusals.map((refusal) => (
            <RefusalRow key={`${refusal.key.id} ${refusal.code} ${refusal.field ?? ''}`} refusal={refusal} />
          ))
        )}
      </Table.Tbody>
    </Table>
  );
}

function RefusalRow({ refusal: { code, field, key, rack, count, lastAt } }: { refusal: Refusal }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Text span inherit fw={600}>
          {describeRefusal(code)}
        </Text>
        <Text size="xs" c="dimmed">
          {code}
        </Text>
      </Table.Td>
      <Table.Td data-label="Field">{field ?? '–'}</Table.Td>
      <Table.Td data-label="Key">
        <div>
          {key.name} <Code>{key.displayPrefix}…</Code>
        </div>
      </Table.Td>
      <Table.Td data-label="Last rack">{rack ?? 'Not known'}</Table.Td>
      <Table.Td data-label="Times" ta="right">
        {describeExactly(count)}
      </Table.Td>
      <Table.Td data-label="Last">
        <Moment at={lastAt} />
      </Table.Td>
    </Table.Tr>
  );
}
