import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { cellarQuery } from '../../cellars/cellars-query.ts';
import { FormDialog } from '../../display/dialogs/dialogs.tsx';
import { NameField } from '../../display/name-field.tsx';
import {
  chosenRateLimit,
  RateLimitFields,
  SAME_RATE_LIMIT,
  SERVICE_DEFAULT,
} from '../../display/rate-limit-fields.tsx';
import { useOwner } from '../../session/roles.tsx';
import { chosenExpiry, NO_EXPIRY } from '../expiry-choice.ts';
import { ExpiryFields } from '../expiry-fields.tsx';
import type { NewSecret } from './secret-dialog.tsx';

export interface CreateKeyDialogProps {
  cellar: string;
  close: () => void;
  showSecret: (secret: NewSecret) => void;
}

const SCOPES = [
  { value: 'ingest', label: 'Send readings (ingest)' },
  { value: 'read', label: 'Read data (read)' },
] as const;

type Scope = (typeof SCOPES)[number]['value'];

export function CreateKeyDialog({ cellar, close, showSecret }: CreateKeyDialogProps) {
  // A retry after a lost response creates no second key.
  const [requestId] = useState(() => crypto.randomUUID());
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState(NO_EXPIRY);
  const [racks, setRacks] = useState<'all' | 'rack' | 'rackPrefix'>('all');
  const [rackName, setRackName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['ingest']);
  const [rateLimit, setRateLimit] = useState(SAME_RATE_LIMIT);
  const isOwner = useOwner();
  const { data: cellarView } = useQuery(cellarQuery(cellar));
  const most = cellarView?.rateLimit ?? null;

  const create = async (): Promise<void> => {
    const created = await api.post('/api/v1/cellars/{cellar}/keys', {
      params: { path: { cellar }, header: { 'idempotency-key': requestId } },
      body: {
        name,
        expiresAt: chosenExpiry(expiry, Date.now()),
        scopes,
        rateLimit: chosenRateLimit(rateLimit),
        ...(racks === 'all' ? {} : { [racks]: rackName }),
      },
    });
    showSecret(created);
  };

  return (
    <FormDialog
      title="Create New Key"
      submit="Create key"
      what="create the key"
      work={create}
      close={close}
      isReady={scopes.length > 0}
    >
      <NameField
        description="A label, such as the rack or gateway that uses it."
        value={name}
        onChange={setName}
      />
      <ExpiryFields label="Expires" value={expiry} onChange={setExpiry} />
      <NativeSelect
        label="Racks"
        value={racks}
        onChange={(event) => setRacks(event.currentTarget.value as typeof racks)}
        data={[
          { value: 'all', label: 'All racks in this cellar' },
          { value: 'rack', label: 'One rack' },
          { value: 'rackPrefix', label: 'Racks starting with…' },
        ]}
      />
      {racks !== 'all' && (
        <TextInput
          label={racks === 'rack' ? 'Rack name' : 'Name prefix'}
          required
          autoComplete="off"
          maxLength={256}
          value={rackName}
          onChange={(event) => setRackName(event.currentTarget.value)}
        />
      )}
      <Checkbox.Group
        label="Scopes"
        value={scopes}
        onChange={(chosen) =>
          setScopes(SCOPES.map(({ value }) => value).filter((scope) => chosen.includes(scope)))
        }
      >
        <Stack gap="xs" mt={4}>
          {SCOPES.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
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
