import { useState } from 'react';
import { api } from '../api/api.ts';
import { AccessFields } from '../access/access-fields.tsx';
import { chosenAccess, givesAccess, MEMBER_OF_NOTHING } from '../access/access-choice.ts';
import { FormDialog } from '../display/dialogs/form-dialog.tsx';
import { NameField } from '../display/name-field.tsx';
import { chosenExpiry, presetsWithin } from '../keys/expiry-choice.ts';
import type { ExpiryChoice } from '../keys/expiry-choice.ts';
import { ExpiryFields } from '../keys/expiry-fields.tsx';
import type { NewToken } from './token-secret-dialog.tsx';

export interface CreateTokenDialogProps {
  /** The latest expiry in days from now. null: no limit. */
  maxDays: number | null;
  close: () => void;
  showSecret: (created: NewToken) => void;
}

/** Tokens are powerful, so the default expiry is 90 days, or the longest allowed preset. */
function presetExpiry(maxDays: number | null): ExpiryChoice {
  const allowed = presetsWithin(maxDays).map(({ value }) => value);
  const preset = (['90', '30', '7'] as const).find((days) => allowed.includes(days)) ?? 'date';
  return { preset, date: '' };
}

export function CreateTokenDialog({ maxDays, close, showSecret }: CreateTokenDialogProps) {
  const [name, setName] = useState('');
  const [access, setAccess] = useState(MEMBER_OF_NOTHING);
  const [expiry, setExpiry] = useState(() => presetExpiry(maxDays));

  const create = async (): Promise<void> => {
    const body = { name, ...chosenAccess(access), expiresAt: chosenExpiry(expiry, Date.now()) };
    showSecret(await api.post('/api/v1/tokens', { body }));
  };

  return (
    <FormDialog
      title="Create service token"
      submit="Create token"
      what="create the token"
      work={create}
      close={close}
      isReady={givesAccess(access)}
    >
      <NameField
        description="Name the script that uses it; shown in the audit log."
        value={name}
        onChange={setName}
      />
      <AccessFields owner="all cellars and keys, but not users" value={access} onChange={setAccess} />
      <ExpiryFields label="Expires" value={expiry} onChange={setExpiry} maxDays={maxDays} />
    </FormDialog>
  );
}
