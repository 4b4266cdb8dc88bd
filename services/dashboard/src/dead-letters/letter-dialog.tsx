import { Button, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WholeDeadLetter } from '../api/resources.ts';
import { CopyField } from '../display/copy-field.tsx';
import { plural } from '../display/describe-number.ts';
import { Dialog } from '../display/dialogs/dialogs.tsx';
import { Fact } from '../display/blocks.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { describeLocal } from '../display/time/describe-time.ts';
import { ExactTime } from '../display/time/moment.tsx';
import type { LettersTableProps } from './letters-table.tsx';
import { deadLetterQuery } from './dead-letters-queries.ts';
import { decodeBase64, isUtf8, printable, toHexDump, toText } from './describe-payload.ts';

export interface LetterDialogProps {
  id: string;
  act: LettersTableProps['act'];
  close: () => void;
}

/** A dead letter with its payload. */
export function LetterDialog({ id, act, close }: LetterDialogProps) {
  const { data, error, refetch } = useQuery(deadLetterQuery(id));
  return (
    <Dialog title="Dead letter" size="xl" close={close}>
      {data !== undefined ? (
        <Stack>
          <Facts letter={data} />
          <Payload letter={data} />
          {data.state === 'open' && (
            <Group justify="space-between">
              <Button color="red" variant="outline" onClick={() => act('discard', id)}>
                Discard
              </Button>
              <Button disabled={data.isTruncated} onClick={() => act('replay', id)}>
                Replay
              </Button>
            </Group>
          )}
        </Stack>
      ) : error === null ? (
        <Skeleton height={360} />
      ) : (
        <LoadProblem what="the dead letter" error={error} retry={() => void refetch()} />
      )}
    </Dialog>
  );
}

function Facts({ letter }: { letter: WholeDeadLetter }) {
  const { at, reason, origin, state, key, headers } = letter;
  const names = Object.keys(headers);
  return (
    <>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {printable(reason)}
      </Text>
      <SimpleGrid component="dl" m={0} cols={{ base: 1, sm: 2 }} spacing="sm">
        <Fact name="Origin">
          {origin.topic}, partition {origin.partition}, offset {origin.offset}
        </Fact>
        <Fact name="Time">
          <ExactTime at={new Date(at)}>{describeLocal(new Date(at))}</ExactTime>
        </Fact>
        <Fact name="State">{state}</Fact>
        <Fact name="Message key">{key === '' ? 'none' : toText(decodeBase64(key))}</Fact>
        <Fact name="Headers">
          {names.length === 0
            ? 'none'
            : names.map((name) => (
                <Text key={name} span inherit display="block">
                  {printable(name)}: {printable(headers[name] ?? '')}
                </Text>
              ))}
        </Fact>
      </SimpleGrid>
    </>
  );
}

function Payload({ letter: { value, size, isTruncated } }: { letter: WholeDeadLetter }) {
  const bytes = decodeBase64(value);
  const isText = isUtf8(bytes);
  const [view, setView] = useState<'text' | 'hex'>(isText ? 'text' : 'hex');
  const notes = [
    size === 0 ? 'The payload is empty.' : `${plural(size, 'byte')}.`,
    ...(isTruncated
      ? [`Only the first ${plural(bytes.length, 'byte')} are kept, so it can't be replayed.`]
      : []),
    ...(isText ? [] : ['Not valid UTF-8: as text, invalid bytes are shown as �.']),
  ];
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <SegmentedControl
          aria-label="Payload as"
          value={view}
          onChange={(next) => setView(next === 'hex' ? 'hex' : 'text')}
          data={[
            { value: 'text', label: 'Text' },
            { value: 'hex', label: 'Hex' },
          ]}
        />
        <Text size="sm" c="dimmed">
          {notes.join(' ')}
        </Text>
      </Group>
      <CopyField label="Payload" text={view === 'hex' ? toHexDump(bytes) : toText(bytes)} isBlock />
    </Stack>
  );
}
