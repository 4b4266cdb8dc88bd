import { Box, Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Rejection } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly } from '../display/describe-number.ts';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { SmallPrint, Strong } from '../display/text.tsx';
import { Moment } from '../display/time/moment.tsx';
import { describeRejection } from './describe-rejection.ts';

export interface RejectionsTableProps {
  cellar: string;
  /** Undefined: loading. */
  rejections: readonly Rejection[] | undefined;
}

/** Rejected readings, a row for each kind. */
export function RejectionsTable({ cellar, rejections }: RejectionsTableProps) {
  const columns: Column<Rejection>[] = [
    { name: 'Reason', isTitle: true, cell: Reason },
    { name: 'Field', cell: ({ field }) => <Word>{field ?? '–'}</Word> },
    {
      name: 'Key',
      cell: ({ key: { id, name, displayPrefix } }) => (
        <div>
          <AppLink to="/cellars/$cellar/keys/$id" params={{ cellar, id }} inherit underline="always">
            {name}
          </AppLink>{' '}
          <Code>{displayPrefix}…</Code>
        </div>
      ),
    },
    { name: 'Last rack', cell: ({ rack }) => <Word>{rack ?? 'Unknown'}</Word> },
    { name: 'Count', isNumber: true, cell: ({ count }) => describeExactly(count) },
    {
      name: 'Last seen',
      cell: ({ lastAt }) => (
        <Word>
          <Moment at={lastAt} />
        </Word>
      ),
    },
  ];
  return (
    <ListTable
      label="Rejected readings"
      columns={columns}
      rows={rejections}
      keyOf={({ key, code, field }) => `${key.id} ${code} ${field ?? ''}`}
    />
  );
}

/** As wide as "timestamp", which the table would break for a longer reason. */
function Word({ children }: { children: ReactNode }) {
  return <Box miw="9ch">{children}</Box>;
}

function Reason({ code, detail }: Rejection) {
  const { label, advice } = describeRejection(code);
  return (
    <>
      <Strong>{label}</Strong> <Code>{code}</Code>
      {detail !== null && <Text size="sm">{detail}</Text>}
      <SmallPrint>{advice}</SmallPrint>
    </>
  );
}
