import { Badge, Button, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog, ShownOnceDialog } from '../../display/dialogs/dialogs.tsx';
import { saveFile } from '../../display/save-file.ts';
import { ListTable } from '../../display/tables/list-table.tsx';
import type { NewSecret } from '../dialogs/secret-dialog.tsx';
import { newKeysCsv } from '../new-keys-csv.ts';
import { useLeaveWarning } from './while-running.tsx';

export interface OutcomeRow {
  id: string;
  name: string;
  /** Undefined: it succeeded. */
  error: string | undefined;
}

export interface OutcomeDialogProps {
  title: string;
  rows: readonly OutcomeRow[];
  /** As in "revoked". */
  done: string;
  created: readonly NewSecret[];
  /** Of the file with the created keys. */
  fileName: string;
  /** Called when the file was downloaded. */
  onSaved?: () => void;
  close: () => void;
}

/** What an action on several keys has done. Keys that it created are a file, once. */
export function OutcomeDialog(props: OutcomeDialogProps) {
  const { title, created, close } = props;
  if (created.length > 0) return <NewKeysDialog {...props} />;
  return (
    <Dialog title={title} close={close} size="lg">
      <Stack>
        <Outcomes {...props} />
        <Group justify="flex-end">
          <Button data-autofocus onClick={close}>
            Close
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** There are too many keys to copy one by one. */
function NewKeysDialog(props: OutcomeDialogProps) {
  const { title, created, fileName, onSaved, close } = props;
  const [isSaved, setSaved] = useState(false);
  useLeaveWarning(!isSaved);
  const save = (): void => {
    saveFile(fileName, new Blob([newKeysCsv(created)], { type: 'text/csv' }));
    setSaved(true);
    onSaved?.();
  };
  return (
    <ShownOnceDialog
      title={title}
      warning="You won't see these keys again"
      advice="Download them now and keep the file private. Cellarman keeps only hashes. The file has the format of the command “cellarman keys import”."
      done="I have stored them"
      isReady={isSaved}
      close={close}
    >
      <Group>
        <Button data-autofocus onClick={save}>
          Download {fileName}
        </Button>
        <Text size="sm" role="status">
          {isSaved && 'Downloaded'}
        </Text>
      </Group>
      <Outcomes {...props} />
    </ShownOnceDialog>
  );
}

/** Failures first. */
function Outcomes({ rows, done }: Pick<OutcomeDialogProps, 'rows' | 'done'>) {
  const sorted = rows.toSorted((a, b) => Number(b.error !== undefined) - Number(a.error !== undefined));
  return (
    <ScrollArea.Autosize mah="40vh" type="auto">
      <ListTable
        label="Results"
        columns={[
          { name: 'Key', isTitle: true, cell: ({ name }) => name },
          {
            name: 'Result',
            cell: ({ error }) => (
              <Group gap="xs" wrap="nowrap">
                <Badge color={error === undefined ? 'bottle' : 'red'} style={{ flexShrink: 0 }}>
                  {error === undefined ? done : 'failed'}
                </Badge>
                {error !== undefined && <Text size="sm">{error}</Text>}
              </Group>
            ),
          },
        ]}
        rows={sorted}
        keyOf={({ id }) => id}
      />
    </ScrollArea.Autosize>
  );
}
