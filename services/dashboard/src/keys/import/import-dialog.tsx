import { Button, Code, FileButton, Group, Stack, Text } from '@mantine/core';
import type { KeyRow } from '@cellarman/key-settings';
import { useState } from 'react';
import { useAction } from '../../api/use-action.ts';
import { Dialog, FormDialog } from '../../display/dialogs/dialogs.tsx';
import { plural } from '../../display/describe-number.ts';
import { Problem } from '../../display/problems/load-problem.tsx';
import { OutcomeDialog } from '../bulk/outcome-dialogs.tsx';
import { Progress, useLeaveWarning } from '../bulk/while-running.tsx';
import { runEach } from '../bulk/run-each.ts';
import type { Outcome } from '../bulk/run-each.ts';
import type { NewSecret } from '../dialogs/secret-dialog.tsx';
import { createImportedKey } from './create-imported-key.ts';
import { ImportPreview } from './import-preview.tsx';
import { readImport } from './read-import.ts';
import type { ImportLine } from './read-import.ts';

export interface ImportDialogProps {
  cellar: string;
  close: () => void;
  /** Loads the list of keys again. */
  refresh: () => void;
}

const EXAMPLE = `name,rack,rack_prefix,scopes,expires,rate,burst
press 7,press-7,,ingest,2027-06-30,10,100
boiler house,,boiler-,ingest,365d,,`;

/** Creates a key for each line of a CSV file: choose it, check the preview, download the keys. */
export default function ImportDialog({ cellar, close, refresh }: ImportDialogProps) {
  const [lines, setLines] = useState<readonly ImportLine[]>();
  const [outcomes, setOutcomes] = useState<readonly Outcome<KeyRow, NewSecret>[]>();
  const read = useAction(async (file: File) => setLines(await readImport(cellar, file)));

  if (outcomes !== undefined) return <Result cellar={cellar} outcomes={outcomes} close={close} />;
  if (lines !== undefined) {
    const finish = (done: readonly Outcome<KeyRow, NewSecret>[]): void => {
      setOutcomes(done);
      refresh();
    };
    return <Preview lines={lines} close={close} finish={finish} />;
  }
  return (
    <Dialog title="Import keys" close={close} size="lg">
      <Stack>
        <Problem error={read.error} what="read the file" />
        <Text>
          A CSV file with one key on each line. The first line lists the columns in any order; only name is
          required.
        </Text>
        <Code block tabIndex={0} aria-label="Example">
          {EXAMPLE}
        </Code>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <FileButton accept=".csv,text/csv" onChange={(file) => file !== null && void read.run(file)}>
            {(props) => (
              <Button {...props} loading={read.isPending} data-autofocus>
                Choose file
              </Button>
            )}
          </FileButton>
        </Group>
      </Stack>
    </Dialog>
  );
}

interface PreviewProps {
  lines: readonly ImportLine[];
  close: () => void;
  finish: (outcomes: readonly Outcome<KeyRow, NewSecret>[]) => void;
}

/** It stays open while keys are created: their secrets would be lost. */
function Preview({ lines, close, finish }: PreviewProps) {
  const [importName] = useState(() => crypto.randomUUID());
  const [done, setDone] = useState<number>();
  useLeaveWarning(done !== undefined);
  const rows = lines.filter(({ problem }) => problem === undefined).map(({ row }) => row);
  const create = async (): Promise<void> => {
    setDone(0);
    finish(await runEach(rows, (row) => createImportedKey(row, `import/${importName}/${row.line}`), setDone));
  };
  return (
    <FormDialog
      title="Import keys"
      submit={`Create ${plural(rows.length, 'key')}`}
      what="import the keys"
      work={create}
      close={() => done === undefined && close()}
      isReady={rows.length > 0}
      size="xl"
    >
      <ImportPreview lines={lines} />
      <Progress done={done} total={rows.length} />
    </FormDialog>
  );
}

interface ResultProps {
  cellar: string;
  outcomes: readonly Outcome<KeyRow, NewSecret>[];
  close: () => void;
}

function Result({ cellar, outcomes, close }: ResultProps) {
  const created = outcomes.flatMap(({ result }) => result ?? []);
  return (
    <OutcomeDialog
      title={`${created.length} of ${plural(outcomes.length, 'key')} created`}
      rows={outcomes.map(({ item: { line, name }, error }) => ({
        id: String(line),
        name: `${name} (line ${line})`,
        error: error?.message,
      }))}
      done="created"
      created={created}
      fileName={`${cellar}-keys.csv`}
      close={close}
    />
  );
}
