import { useState } from 'react';
import { responseData } from '../api/response-data.ts';
import { keyService } from '../api/key-service.ts';
import { describeLocal } from '../display/time/describe-time.ts';
import { FormDialog } from '../display/dialogs/form-dialog.tsx';
import { chosenExpiry, expiryChoiceOf } from './expiry-choice.ts';
import { ExpiryFields } from './expiry-fields.tsx';
import type { KeyChangeDialogProps } from './revoke-dialog.tsx';

export function ChangeExpiryDialog({ apiKey, close, finish }: KeyChangeDialogProps) {
  const { cellar, id, name } = apiKey;
  const [expiry, setExpiry] = useState(() => expiryChoiceOf(apiKey.expiresAt));

  const change = async (): Promise<void> => {
    const changed = await responseData(
      keyService.PATCH('/api/v1/cellars/{cellar}/keys/{id}', {
        params: { path: { cellar, id } },
        body: { expiresAt: chosenExpiry(expiry, Date.now()) },
      }),
    );
    finish(
      changed.expiresAt === null
        ? `${name} no longer expires.`
        : `${name} now expires on ${describeLocal(new Date(changed.expiresAt))}.`,
    );
  };

  return (
    <FormDialog
      title={`Change the expiry of ${name}`}
      submit="Change expiry"
      what="change the expiry"
      work={change}
      close={close}
    >
      <ExpiryFields label="Expires" value={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
