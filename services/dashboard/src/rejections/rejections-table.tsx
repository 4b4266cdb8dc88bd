import { Code, Table, Text } from '@mantine/core';
import type { Rejection } from '../api/resources.ts';
import { describeExactly } from '../display/describe-number.ts';
import { ListTable, numberHeading } from '../display/tables/list-table.tsx';
import { Moment } from '../display/time/moment.tsx';
import { describeRejection } from './describe-rejection.ts';

const COLUMNS = ['Reason', 'Field', 'Key', 'Last rack', numberHeading('Count'), 'Last seen'];

/** Rejected readings, a row for each kind. Undefined: loading. */
export function RejectionsTable({ rejections }: { rejections: readonly Rejection[] | undefined }) {
  return (
    <ListTable
      label="Rejected readings"
      columns={COLUMNS}
      rows={rejections?.map((rejection) => (
        <RejectionRow
          key={`${rejection.key.id} ${rejection.code} ${rejection.field ?? ''}`}
          rejection={rejection}
        />
      ))}
    />
  );
}

function RejectionRow({ rejection: { code, field, key, rack, count, lastAt } }: { rejection: Rejection }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Text span inherit fw={600}>
          {describeRejection(code)}
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
      <Table.Td data-label="Last rack">{rack ?? 'Unknown'}</Table.Td>
      <Table.Td data-label="Count" ta="right">
        {describeExactly(count)}
      </Table.Td>
      <Table.Td data-label="Last seen">
        <Moment at={lastAt} />
      </Table.Td>
    </Table.Tr>
  );
}
