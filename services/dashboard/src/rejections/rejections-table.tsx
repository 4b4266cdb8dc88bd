import { Code, Table, Text } from '@mantine/core';
import type { Rejection } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly } from '../display/describe-number.ts';
import { ListTable, numberHeading } from '../display/tables/list-table.tsx';
import { Moment } from '../display/time/moment.tsx';
import { describeRejection } from './describe-rejection.ts';

const COLUMNS = ['Reason', 'Field', 'Key', 'Last rack', numberHeading('Count'), 'Last seen'];

/** Rejected readings, a row for each kind. Undefined: loading. */
export function RejectionsTable({
  cellar,
  rejections,
}: {
  cellar: string;
  rejections: readonly Rejection[] | undefined;
}) {
  return (
    <ListTable
      label="Rejected readings"
      columns={COLUMNS}
      rows={rejections?.map((rejection) => (
        <RejectionRow
          key={`${rejection.key.id} ${rejection.code} ${rejection.field ?? ''}`}
          cellar={cellar}
          rejection={rejection}
        />
      ))}
    />
  );
}

function RejectionRow({ cellar, rejection }: { cellar: string; rejection: Rejection }) {
  const { code, field, detail, key, rack, count, lastAt } = rejection;
  const { label, advice } = describeRejection(code);
  return (
    <Table.Tr>
      <Table.Td>
        <Text span inherit fw={600}>
          {label}
        </Text>{' '}
        <Code>{code}</Code>
        {detail !== null && <Text size="sm">{detail}</Text>}
        <Text size="xs" c="dimmed">
          {advice}
        </Text>
      </Table.Td>
      <Table.Td data-label="Field">{field ?? '–'}</Table.Td>
      <Table.Td data-label="Key">
        <div>
          <AppLink to="/cellars/$cellar/keys/$id" params={{ cellar, id: key.id }} inherit underline="always">
            {key.name}
          </AppLink>{' '}
          <Code>{key.displayPrefix}…</Code>
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
