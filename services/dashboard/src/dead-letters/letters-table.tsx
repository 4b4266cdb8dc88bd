import { Code, Text } from '@mantine/core';
import type { DeadLetter } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { LongName } from '../display/long-name.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { RowActions } from '../display/tables/row-actions.tsx';
import { Moment } from '../display/time/moment.tsx';
import type { DeadLetterAction } from './dead-letters-queries.ts';
import type { DeadLettersSearch } from './dead-letters-search.ts';
import { printable } from './describe-payload.ts';

export interface LettersTableProps {
  /** Undefined: loading. */
  letters: readonly DeadLetter[] | undefined;
  search: DeadLettersSearch;
  isStale: boolean;
  act: (action: DeadLetterAction, id: string) => void;
}

const CHANGED: Column<DeadLetter> = {
  ...{ name: 'Changed', width: '172px' },
  cell: ({ changedAt }) => <Moment at={changedAt} />,
};

export function LettersTable({ letters, search, isStale, act }: LettersTableProps) {
  const isOpen = search.state === undefined || search.state === 'open';
  const columns: Column<DeadLetter>[] = [
    { name: 'Reason', isTitle: true, cell: (letter) => <Reason letter={letter} search={search} /> },
    { name: 'Cellar / rack', width: '22%', cell: Source },
    {
      ...{ name: 'Partition : offset', width: '168px' },
      cell: ({ origin: { partition, offset } }) => (
        <Code>
          {partition} : {offset}
        </Code>
      ),
    },
    { name: 'Time', width: '104px', cell: ({ at }) => <Moment at={at} /> },
    ...(isOpen ? [] : [CHANGED]),
  ];
  return (
    <ListTable
      label="Dead letters"
      columns={columns}
      rows={letters}
      keyOf={({ id }) => id}
      actions={
        isOpen &&
        (({ id, isTruncated }) => (
          <RowActions
            of={`dead letter ${id}`}
            size="compact-sm"
            actions={[
              {
                ...{ label: isTruncated ? 'Truncated' : 'Replay', name: `Replay dead letter ${id}` },
                isDisabled: isTruncated,
                run: () => act('replay', id),
              },
              { label: 'Discard', run: () => act('discard', id) },
            ]}
          />
        ))
      }
      actionsWidth="184px"
      isStale={isStale}
    />
  );
}

function Reason({
  letter: { id, reason, preview },
  search,
}: {
  letter: DeadLetter;
  search: DeadLettersSearch;
}) {
  return (
    <>
      <Text component="div" inherit fw={600} lineClamp={2}>
        <AppLink to="/dead-letters" search={{ ...search, letter: id }} inherit>
          {printable(reason)}
        </AppLink>
      </Text>
      <Text component="div" size="xs" c="dimmed" ff="monospace" truncate>
        {preview === '' ? 'empty payload' : printable(preview)}
      </Text>
    </>
  );
}

function Source({ source }: DeadLetter) {
  if (source !== null) return <LongName>{`${source.cellar} / ${printable(source.rack)}`}</LongName>;
  return (
    <Text span inherit c="dimmed">
      unreadable
    </Text>
  );
}
