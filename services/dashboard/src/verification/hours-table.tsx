import { Code, Table, Text } from '@mantine/core';
import { describeExactly } from '../display/describe-number.ts';
import { ListTable, numberHeading } from '../display/tables/list-table.tsx';
import { describeClock } from '../display/time/describe-time.ts';
import { ExactTime, Moment } from '../display/time/moment.tsx';
import { hasMismatch } from './describe-verification.ts';
import type { VerifiedHour } from './verification-query.ts';

const NUMBERS = [
  ['acknowledged', 'Acknowledged'],
  ['stored', 'Stored'],
  ['missing', 'Missing'],
  ['duplicated', 'Duplicated'],
  ['altered', 'Altered'],
  ['expired', 'Expired'],
  ['deadLetters', 'Dead letters'],
] as const;
const COLUMNS = ['Hour', ...NUMBERS.map(([, label]) => numberHeading(label)), 'Checked'];
/** Any of these is a finding. */
const FINDINGS: ReadonlySet<string> = new Set(['missing', 'duplicated', 'altered']);

const STATES = {
  pending: 'Not checked yet',
  unverifiable: 'Cannot be checked: Kafka has deleted messages of this hour',
};

/** The hours, latest first. Undefined: loading. */
export function HoursTable({ hours }: { hours: readonly VerifiedHour[] | undefined }) {
  return (
    <ListTable
      label="Verified hours"
      columns={COLUMNS}
      expectedRows={24}
      rows={hours?.toReversed().map((hour) => (
        <HourRow key={hour.at} hour={hour} />
      ))}
    />
  );
}

function HourRow({ hour }: { hour: VerifiedHour }) {
  const at = new Date(hour.at);
  const begin = <ExactTime at={at}>{describeClock(at, new Date())}</ExactTime>;
  if (hour.state !== 'verified') {
    return (
      <Table.Tr>
        <Table.Td>{begin}</Table.Td>
        <Table.Td colSpan={COLUMNS.length - 1} c="dimmed">
          {STATES[hour.state]}
        </Table.Td>
      </Table.Tr>
    );
  }
  return (
    <>
      <Table.Tr>
        <Table.Td fw={600}>{begin}</Table.Td>
        {NUMBERS.map(([name, label]) => (
          <Table.Td key={name} data-label={label} ta="right">
            <Text
              span
              inherit
              {...(FINDINGS.has(name) && hour[name] > 0 ? { c: 'var(--mantine-color-error)', fw: 600 } : {})}
            >
              {describeExactly(hour[name])}
            </Text>
          </Table.Td>
        ))}
        <Table.Td data-label="Checked">
          <Moment at={hour.checkedAt} />
        </Table.Td>
      </Table.Tr>
      {hasMismatch(hour) && hour.findings.length > 0 && (
        <Table.Tr>
          <Table.Td colSpan={COLUMNS.length}>
            <details>
              <Text component="summary" size="sm">
                First findings
              </Text>
              {hour.findings.map((finding) => (
                <Code block key={finding} mt="xs">
                  {finding}
                </Code>
              ))}
            </details>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
