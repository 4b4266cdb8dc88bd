import { useState } from 'react';
import type { ReactNode } from 'react';
import { AppLink } from '../../display/app-link.tsx';
import { plural } from '../../display/describe-number.ts';
import type { KeysSearch } from '../keys-search.ts';
import { DONE } from '../key-actions.ts';
import type { BulkAction, BulkOutcome } from '../key-actions.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { OutcomeDialog } from './outcome-dialogs.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './use-selection.ts';
import type { Selection } from './use-selection.ts';

/** The open dialog. Secrets are only kept here, until their dialog closes. */
type Open =
  | { dialog: 'confirm'; action: BulkAction }
  | { dialog: 'outcome'; action: BulkAction; outcomes: readonly BulkOutcome[] };

export interface BulkActions {
  selection: Selection;
  /** Actions on the selected keys. */
  bar: ReactNode;
  dialog: ReactNode;
}

/** @param finish shows a notice, and loads the lists again */
export function useBulkActions(
  cellar: string,
  state: NonNullable<KeysSearch['state']>,
  finish: (done: ReactNode) => void,
): BulkActions {
  const selection = useSelection(`${cellar} ${state}`);
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);

  const show = (action: BulkAction, outcomes: readonly BulkOutcome[]): void => {
    const failed = outcomes.filter(({ error }) => error !== undefined);
    selection.keep(failed.map(({ item }) => item));
    const isQuiet = failed.length === 0 && action !== 'rotate';
    setOpen(isQuiet ? undefined : { dialog: 'outcome', action, outcomes });
    finish(
      isQuiet ? (
        <>
          {plural(outcomes.length, 'key')} {DONE[action]}. The change applies everywhere within a second.{' '}
          <AppLink to="/cellars/$cellar/audit" params={{ cellar }} inherit underline="always">
            View in audit log
          </AppLink>
        </>
      ) : undefined,
    );
  };

  return {
    selection,
    bar: (
      <SelectionBar
        count={selection.keys.length}
        state={state}
        act={(action) => setOpen({ dialog: 'confirm', action })}
        clear={() => selection.keep([])}
      />
    ),
    dialog: (
      <>
        {open?.dialog === 'confirm' && (
          <BulkDialog
            action={open.action}
            keys={selection.keys}
            close={close}
            finish={(outcomes) => show(open.action, outcomes)}
          />
        )}
        {open?.dialog === 'outcome' && <Outcome {...open} fileName={`${cellar}-keys.csv`} close={close} />}
      </>
    ),
  };
}

function Outcome({
  action,
  outcomes,
  fileName,
  close,
}: Extract<Open, { dialog: 'outcome' }> & { fileName: string; close: () => void }) {
  const created = outcomes.flatMap(({ result }) => result ?? []);
  const succeeded = outcomes.filter(({ error }) => error === undefined).length;
  return (
    <OutcomeDialog
      title={`${succeeded} of ${plural(outcomes.length, 'key')} ${DONE[action]}`}
      rows={outcomes.map(({ item, error }) => ({ id: item.id, name: item.name, error: error?.message }))}
      done={DONE[action]}
      created={created}
      fileName={fileName}
      close={close}
    />
  );
}
