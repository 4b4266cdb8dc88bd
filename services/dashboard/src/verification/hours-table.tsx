import { Code, Text } from '@mantine/core';
import { describeExactly } from '../display/describe-number.ts';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
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
/** Any of these is a finding. */
const FINDINGS: ReadonlySet<string> = new Set(['missing', 'duplicated', 'altered']);

const STATES = {
  pending: 'Not checked yet',
  unverifiable: 'Cannot be checked: Kafka has deleted messages of this hour',
};

const COLUMNS: Column<VerifiedHour>[] = [
  { name: 'Hour', isTitle: true, cell: Hour },
  ...NUMBERS.map(([field, name]) => ({
    ...{ name, isNumber: true },
    cell: (hour: VerifiedHour) => (
      <Text
        span
        inherit
        {...(FINDINGS.has(field) && hour[field] > 0 ? { c: 'var(--mantine-color-error)', fw: 600 } : {})}
      >
        {describeExactly(hour[field])}
      </Text>
    ),
  })),
  { name: 'Checked', cell: ({ checkedAt }) => <Moment at={checkedAt} /> },
];

/** The hours, latest first. Undefined: loading. */
export function HoursTable({ hours }: { hours: readonly VerifiedHour[] | undefined }) {
  return (
    <ListTable
      label="Verified hours"
      columns={COLUMNS}
      expectedRows={24}
      rows={hours?.toReversed()}
      keyOf={({ at }) => at}
      noteOf={noteOf}
      detailsOf={(hour) =>
        hasMismatch(hour) && hour.findings.length > 0 ? <Findings {...hour} /> : undefined
      }
    />
  );
}

function noteOf(hour: VerifiedHour): string | undefined {
  if (hour.state !== 'verified') return STATES[hour.state];
  return NUMBERS.every(([field]) => hour[field] === 0) ? 'No readings' : undefined;
}

function Hour({ at, state }: VerifiedHour) {
  const begin = new Date(at);
  return (
    <Text span inherit fw={state === 'verified' ? 600 : undefined}>
      <ExactTime at={begin}>{describeClock(begin, new Date())}</ExactTime>
    </Text>
  );
}

function Findings({ findings }: VerifiedHour) {
  return (
    <details>
      <Text component="summary" size="sm">
        First findings
      </Text>
      {findings.map((finding) => (
        <Code block key={finding} mt="xs">
          {finding}
        </Code>
      ))}
    </details>
  );
}
