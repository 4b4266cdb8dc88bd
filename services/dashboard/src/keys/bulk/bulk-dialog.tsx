import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Key } from '../../api/resources.ts';
import { ConfirmDialog, FormDialog } from '../../display/dialogs/dialogs.tsx';
import { plural } from '../../display/describe-number.ts';
import { DAY_SECONDS, OverlapSelect } from '../dialogs/overlap-select.tsx';
import { chosenExpiry } from '../expiry-choice.ts';
import type { ExpiryChoice } from '../expiry-choice.ts';
import type { NewSecret } from '../dialogs/secret-dialog.tsx';
import { revokeKey, changeExpiry, rotateKey } from '../key-actions.ts';
import { ExpiryFields } from '../expiry-fields.tsx';
import type { BulkAction, BulkOutcome } from '../key-actions.ts';
import { Progress, useLeaveWarning } from './while-running.tsx';
import { RecentUse } from './recent-use.tsx';
import { runEach } from './run-each.ts';

export interface BulkDialogProps {
  action: BulkAction;
  keys: readonly Key[];
  close: () => void;
  finish: (outcomes: readonly BulkOutcome[]) => void;
}

/** Confirms an action on several keys, and runs it. It stays open while it runs: new keys would be lost. */
export function BulkDialog({ action, keys, close, finish }: BulkDialogProps) {
  const [done, setDone] = useState<number>();
  const [expiry, setExpiry] = useState<ExpiryChoice>({ preset: '90', date: '' });
  const [overlap, setOverlap] = useState(DAY_SECONDS);
  useLeaveWarning(done !== undefined);
  const count = plural(keys.length, 'key');

  const runWith = (work: (key: Key) => Promise<NewSecret | null>) => async (): Promise<void> => {
    setDone(0);
    finish(await runEach(keys, work, setDone));
  };
  const leave = (): void => {
    if (done === undefined) close();
  };
  const about = (
    <>
      <Text>{describeNames(keys)}</Text>
      <RecentUse keys={keys} />
      <Progress done={done} total={keys.length} />
    </>
  );

  if (action === 'revoke') {
    return (
      <ConfirmDialog
        title={`Revoke ${count}?`}
        submit={`Revoke ${count}`}
        what="revoke the keys"
        work={runWith(revokeKey)}
        close={leave}
      >
        <Text>
          Requests with these keys are rejected within a second. This can't be undone. Readings already stored
          are kept.
        </Text>
        {about}
      </ConfirmDialog>
    );
  }
  if (action === 'expire') {
    return (
      <FormDialog
        title={`Change the expiry of ${count}`}
        submit="Change expiry"
        what="change the expiry"
        work={() => {
          const expiresAt = chosenExpiry(expiry, Date.now());
          return runWith((key) => changeExpiry(key, expiresAt))();
        }}
        close={leave}
      >
        <ExpiryFields label="Expires" value={expiry} onChange={setExpiry} />
        {about}
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title={`Rotate ${count}`}
      submit={`Rotate ${count}`}
      what="rotate the keys"
      work={runWith((key) => rotateKey(key, overlap))}
      close={leave}
    >
      <Text>Creates a new key with the same settings for each. You get the new keys as a file.</Text>
      <OverlapSelect label="Old keys stop working" seconds={overlap} onChange={setOverlap} />
      {about}
    </FormDialog>
  );
}

const MOST_NAMES = 5;

function describeNames(keys: readonly Key[]): string {
  const names = keys.slice(0, MOST_NAMES).map(({ name }) => `“${name}”`);
  const more = keys.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more.` : `${names.join(', ')}.`;
}
