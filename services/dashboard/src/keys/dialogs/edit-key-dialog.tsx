import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { cellarQuery } from '../../cellars/cellars-query.ts';
import { FormDialog } from '../../display/dialogs/dialogs.tsx';
import { NameField } from '../../display/name-field.tsx';
import {
  chosenRateLimit,
  rateLimitChoice,
  RateLimitFields,
  SERVICE_DEFAULT,
} from '../../display/rate-limit-fields.tsx';
import { present } from '../../display/read-search.ts';
import { useOwner } from '../../session/roles.tsx';
import { chosenExpiry, expiryChoiceOf } from '../expiry-choice.ts';
import { ExpiryFields } from '../expiry-fields.tsx';
import type { KeyChangeDialogProps } from './revoke-dialog.tsx';

/** Changes the name, the expiry and the rate limit of a key. Sends only what changed: a date here has no seconds. */
export function EditKeyDialog({ apiKey, close, finish }: KeyChangeDialogProps) {
  const { cellar, id } = apiKey;
  const [before] = useState(() => ({
    name: apiKey.name,
    expiry: expiryChoiceOf(apiKey.expiresAt),
    rateLimit: rateLimitChoice(apiKey.rateLimit),
  }));
  const [name, setName] = useState(before.name);
  const [expiry, setExpiry] = useState(before.expiry);
  const [rateLimit, setRateLimit] = useState(before.rateLimit);
  const isOwner = useOwner();
  const { data: cellarView } = useQuery(cellarQuery(cellar));
  const most = cellarView?.rateLimit ?? null;
  const isChanged = {
    name: name !== before.name,
    expiry: JSON.stringify(expiry) !== JSON.stringify(before.expiry),
    rateLimit: JSON.stringify(rateLimit) !== JSON.stringify(before.rateLimit),
  };

  const change = async (): Promise<void> => {
    const body = present({
      name: isChanged.name ? name : undefined,
      expiresAt: isChanged.expiry ? chosenExpiry(expiry, Date.now()) : undefined,
      rateLimit: isChanged.rateLimit ? chosenRateLimit(rateLimit) : undefined,
    });
    await api.patch('/api/v1/cellars/{cellar}/keys/{id}', { params: { path: { cellar, id } }, body });
    finish(`Key “${name}” updated. The change applies within a second.`);
  };

  return (
    <FormDialog
      title={`Edit ${before.name}`}
      submit="Save"
      what="change the key"
      work={change}
      close={close}
      isReady={Object.values(isChanged).includes(true)}
    >
      <NameField value={name} onChange={setName} />
      <ExpiryFields label="Expires" value={expiry} onChange={setExpiry} />
      {(isOwner || most !== null) && (
        <RateLimitFields
          label="Rate limit"
          same={most === null ? SERVICE_DEFAULT : 'Cellar rate limit'}
          most={most}
          value={rateLimit}
          onChange={setRateLimit}
        />
      )}
    </FormDialog>
  );
}
