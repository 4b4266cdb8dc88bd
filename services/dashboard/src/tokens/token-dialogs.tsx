import { Text } from '@mantine/core';
import { useState } from 'react';
import { AccessFields } from '../access/access-fields.tsx';
import { chosenAccess, givesAccess, MEMBER_OF_NOTHING } from '../access/access-choice.ts';
import { api } from '../api/api.ts';
import type { ServiceToken } from '../api/resources.ts';
import { CopyField } from '../display/copy-field.tsx';
import { ConfirmDialog, FormDialog, ShownOnceDialog } from '../display/dialogs/dialogs.tsx';
import { NameField } from '../display/name-field.tsx';
import { Moment } from '../display/time/moment.tsx';
import { chosenExpiry, presetsWithin } from '../keys/expiry-choice.ts';
import type { ExpiryChoice } from '../keys/expiry-choice.ts';
import { ExpiryFields } from '../keys/expiry-fields.tsx';

export interface NewToken {
  token: ServiceToken;
  secret: string;
}

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

/** Shows a service token once, with an example. */
export function TokenSecretDialog({
  created: { token, secret },
  close,
}: {
  created: NewToken;
  close: () => void;
}) {
  return (
    <ShownOnceDialog
      title={`Your new token “${token.name}”`}
      warning="You won't see this token again"
      advice="Copy it now and store it where your script can read it. Cellarman keeps only a hash. Anyone who has it can create and revoke API keys."
      done="I have stored it"
      close={close}
    >
      <CopyField label="Service token" text={secret} />
      <CopyField
        label="List the cellars with curl"
        text={`curl '${window.location.origin}/api/v1/cellars' \\\n  -H 'Authorization: Bearer ${secret}'`}
        isBlock
      />
    </ShownOnceDialog>
  );
}

export interface RevokeTokenDialogProps {
  token: ServiceToken;
  close: () => void;
  /** Closes the dialog and shows a notice. */
  finish: (done: string) => void;
}

export function RevokeTokenDialog({ token, close, finish }: RevokeTokenDialogProps) {
  const { id, name, displayPrefix, lastUsedAt } = token;
  const revoke = async (): Promise<void> => {
    await api.post('/api/v1/tokens/{id}/revoke', { params: { path: { id } } });
    finish(`Token “${name}” revoked. Requests with it are rejected.`);
  };
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      submit="Revoke token"
      what="revoke the token"
      work={revoke}
      close={close}
    >
      <Text>
        Requests with <b>{displayPrefix}…</b> are rejected immediately. This can't be undone. API keys they
        created keep working.
      </Text>
      <Text>
        Last used: <Moment at={lastUsedAt} />
      </Text>
    </ConfirmDialog>
  );
}
