import { Alert, Button, Code, FileButton, Group, Stack, Text } from '@mantine/core';
import type { KeyRow } from '@cellarman/key-settings';
import { useEffect, useRef, useState } from 'react';
import { isPassing } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { Dialog, FormDialog } from '../../display/dialogs/dialogs.tsx';
import { plural } from '../../display/describe-number.ts';
import { describeLocal } from '../../display/time/describe-time.ts';
import { Problem } from '../../display/problems/load-problem.tsx';
import { OutcomeDialog } from '../bulk/outcome-dialogs.tsx';
import { Progress, useLeaveWarning } from '../bulk/while-running.tsx';
import { runEach } from '../bulk/run-each.ts';
import type { Outcome } from '../bulk/run-each.ts';
import type { NewSecret } from '../dialogs/secret-dialog.tsx';
import { createImportedKey } from './create-imported-key.ts';
import { ImportPreview } from './import-preview.tsx';
import { readImport } from './read-import.ts';
import type { Import } from './read-import.ts';
import { lockImport, rememberImport, unfinishedImports } from './unfinished-imports.ts';
import type { UnfinishedImport } from './unfinished-imports.ts';

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
  const [chosen, setChosen] = useState<Import>();
  const [outcomes, setOutcomes] = useState<readonly Outcome<KeyRow, NewSecret>[]>();
  const release = useRef<() => void>(undefined);
  // While the dialog is open, its keys may not be saved, and another tab would revoke them.
  useEffect(() => () => release.current?.(), []);
  const read = useAction(async (file: File) => setChosen(await readImport(cellar, file)));

  if (chosen !== undefined && outcomes !== undefined)
    return <Result begun={chosen.begun} outcomes={outcomes} close={close} />;
  if (chosen !== undefined) {
    const finish = (done: readonly Outcome<KeyRow, NewSecret>[]): void => {
      // Of the others there is no key.
      rememberImport({ ...chosen.begun, lines: linesOf(done, (error) => !error || isPassing(error)) });
      setOutcomes(done);
      refresh();
    };
    const begin = async (): Promise<void> => {
      release.current = await lockImport(chosen.begun);
      rememberImport(chosen.begun);
    };
    return <Preview {...chosen} begin={begin} close={close} finish={finish} />;
  }
  return (
    <Dialog title="Import keys" close={close} size="lg">
      <Stack>
        <Problem error={read.error} what="read the file" />
        <Unfinished cellar={cellar} />
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

/** Imports whose tab was closed before the keys were saved. */
function Unfinished({ cellar }: { cellar: string }) {
  const [found, setFound] = useState(() => unfinishedImports(cellar));
  return found.map((one) => (
    <Alert
      key={one.name}
      color="yellow"
      variant="outline"
      withCloseButton
      closeButtonLabel={`Forget the import of ${one.fileName}`}
      onClose={() => {
        rememberImport({ ...one, lines: [] });
        setFound(unfinishedImports(cellar));
      }}
    >
      The import of {one.fileName} on {describeLocal(new Date(one.at))} was interrupted before its keys were
      saved. Choose the same file to continue.
    </Alert>
  ));
}

interface PreviewProps extends Import {
  /** Rejects if another tab runs this import. */
  begin: () => Promise<void>;
  close: () => void;
  finish: (outcomes: readonly Outcome<KeyRow, NewSecret>[]) => void;
}

/** It stays open while keys are created: their secrets would be lost. */
function Preview({ lines, begun, isContinued, begin, close, finish }: PreviewProps) {
  const [done, setDone] = useState<number>();
  useLeaveWarning(done !== undefined);
  const rows = lines.filter(({ problem }) => problem === undefined).map(({ row }) => row);
  const create = async (): Promise<void> => {
    await begin();
    setDone(0);
    finish(await runEach(rows, (row) => createImportedKey(row, `import/${begun.name}/${row.line}`), setDone));
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
      {isContinued && (
        <Alert color="yellow" variant="outline">
          Continues the import of {describeLocal(new Date(begun.at))}. Keys that it created are revoked and
          created again, because their secrets were not saved.
        </Alert>
      )}
      <ImportPreview lines={lines} />
      <Progress done={done} total={rows.length} />
    </FormDialog>
  );
}

interface ResultProps {
  begun: UnfinishedImport;
  outcomes: readonly Outcome<KeyRow, NewSecret>[];
  close: () => void;
}

function Result({ begun, outcomes, close }: ResultProps) {
  const created = outcomes.flatMap(({ result }) => result ?? []);
  /** The keys of the others may exist: their responses were lost. */
  const forgetSaved = (): void => {
    rememberImport({ ...begun, lines: linesOf(outcomes, isPassing) });
  };
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
      fileName={`${begun.cellar}-keys.csv`}
      onSaved={forgetSaved}
      close={close}
    />
  );
}

function linesOf(
  outcomes: readonly Outcome<KeyRow, NewSecret>[],
  are: (error: Error | undefined) => boolean,
): number[] {
  return outcomes.filter(({ error }) => are(error)).map(({ item }) => item.line);
}
