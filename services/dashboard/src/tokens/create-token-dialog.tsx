import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { AccessFields } from '../access/access-fields.tsx';
import { chosenAccess, MEMBER_OF_NOTHING } from '../access/access-choice.ts';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import { FormDialog } from '../display/form-dialog.tsx';
import { chosenExpiry, presetsWithin } from '../keys/expiry-choice.ts';
import type { ExpiryChoice } from '../keys/expiry-choice.ts';
import { ExpiryFields } from '../keys/expiry-fields.tsx';
import type { NewToken } from './token-secret-dialog.tsx';

export interface CreateTokenDialogProps {
  /** How many days from now the token may expire at the latest. null: it may live forever. */
  maxDays: number | null;
  close: () => void;
  tell: (created: NewToken) => void;
}

/** A token may do much, so it expires in 90 days, or in the longest preset that is allowed. */
function presetExpiry(maxDays: number | null): ExpiryChoice {
  const allowed = presetsWithin(maxDays).map(({ value }) => value);
  const preset = (['90', '30', '7'] as const).find((days) => allowed.includes(days)) ?? 'date';
  return { preset, date: '' };
}

export function CreateTokenDialog({ maxDays, close, tell }: CreateTokenDialogProps) {
  const [name, setName] = useState('');
  const [access, setAccess] = useState(MEMBER_OF_NOTHING);
  const [expiry, setExpiry] = useState(() => presetExpiry(maxDays));

  const create = async (): Promise<void> => {
    const body = { name, ...chosenAccess(access), expiresAt: chosenExpiry(expiry, Date.now()) };
    tell(await answerOf(keyService.POST('/api/v1/tokens', { body })));
  };

  return (
    <FormDialog
      title="Create service token"
      submit="Create token"
      what="create the token"
      work={create}
      close={close}
    >
      <TextInput
        label="Name"
        description="For you, and for the audit: which script uses it."
        required
        data-autofocus
        autoComplete="off"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <AccessFields owner="all cellars and keys, never people" value={access} onChange={setAccess} />
      <ExpiryFields label="Expires" value={expiry} onChange={setExpiry} maxDays={maxDays} />
    </FormDialog>
  );
}
