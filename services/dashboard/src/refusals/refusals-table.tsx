import { Code, Table, Text } from '@mantine/core';
import type { Refusal } from '../api/resources.ts';
import { describeExactly } from '../display/describe-number.ts';
import { ListTable, numberHeading } from '../display/list-table.tsx';
import { Moment } from '../display/moment.tsx';
import { describeRefusal } from './describe-refusal.ts';

const COLUMNS = ['Why', 'Field', 'Key', 'Last rack', numberHeading('Times'), 'Last'];

/** What was refused, a row for each kind. Undefined: it is on its way. */
export function RefusalsTable({ refusals }: { refusals: readonly Refusal[] | undefined }) {
  return (
    <ListTable
      label="Refused"
      columns={COLUMNS}
      rows={refusals?.map((refusal) => (
        <RefusalRow key={`${refusal.key.id} ${refusal.code} ${refusal.field ?? ''}`} refusal={refusal} />
      ))}
    />
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
