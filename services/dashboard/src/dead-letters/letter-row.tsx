import { Button, Code, Menu, Table, Text } from '@mantine/core';
import type { DeadLetter } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { LongName } from '../display/long-name.tsx';
import { RowActions } from '../display/tables/row-actions.tsx';
import { Moment } from '../display/time/moment.tsx';
import type { DeadLetterAction } from './dead-letters-queries.ts';
import type { DeadLettersSearch } from './dead-letters-search.ts';
import { printable } from './describe-payload.ts';

export interface LetterRowProps {
  letter: DeadLetter;
  search: DeadLettersSearch;
  act: (action: DeadLetterAction, id: string) => void;
}

export function LetterRow({ letter, search, act }: LetterRowProps) {
  const { id, at, reason, origin, source, preview, state, changedAt } = letter;
  return (
    <Table.Tr>
      <Table.Td>
        <Text component="div" inherit fw={600} lineClamp={2}>
          <AppLink to="/dead-letters" search={{ ...search, letter: id }} inherit>
            {printable(reason)}
          </AppLink>
        </Text>
        <Text component="div" size="xs" c="dimmed" ff="monospace" truncate>
          {preview === '' ? 'empty payload' : printable(preview)}
        </Text>
      </Table.Td>
      <Table.Td data-label="Cellar / rack">
        {source === null ? (
          <Text span inherit c="dimmed">
            unreadable
          </Text>
        ) : (
          <LongName>{`${source.cellar} / ${printable(source.rack)}`}</LongName>
        )}
      </Table.Td>
      <Table.Td data-label="Partition : offset">
        <Code>
          {origin.partition} : {origin.offset}
        </Code>
      </Table.Td>
      <Table.Td data-label="Time">
        <Moment at={at} />
      </Table.Td>
      {state === 'open' ? (
        <Table.Td>
          <Actions letter={letter} act={act} />
        </Table.Td>
      ) : (
        <Table.Td data-label="Changed">
          <Moment at={changedAt} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function Actions({ letter: { id, isTruncated }, act }: Pick<LetterRowProps, 'letter' | 'act'>) {
  return (
    <RowActions>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Replay dead letter ${id}`}
        disabled={isTruncated}
        onClick={() => act('replay', id)}
      >
        {isTruncated ? 'Truncated' : 'Replay'}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="compact-sm" variant="subtle" aria-label={`More actions for dead letter ${id}`}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => act('discard', id)}>Discard</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </RowActions>
  );
}
