import { Checkbox, NumberInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/api.ts';
import type { ClaimCode } from '../api/resources.ts';
import { CopyField } from '../display/copy-field.tsx';
import { plural } from '../display/describe-number.ts';
import { ConfirmDialog, FormDialog, ShownOnceDialog } from '../display/dialogs/dialogs.tsx';
import { NameField } from '../display/name-field.tsx';
import { chosenExpiry } from '../keys/expiry-choice.ts';
import type { ExpiryChoice } from '../keys/expiry-choice.ts';
import { ExpiryFields } from '../keys/expiry-fields.tsx';

export interface NewClaimCode {
  claimCode: ClaimCode;
  secret: string;
}

export interface CreateClaimCodeDialogProps {
  cellar: string;
  close: () => void;
  showSecret: (created: NewClaimCode) => void;
}

const MAX_DAYS = 366;
const MAX_KEYS = 10_000;

export function CreateClaimCodeDialog({ cellar, close, showSecret }: CreateClaimCodeDialogProps) {
  const [name, setName] = useState('');
  const [rackPrefix, setRackPrefix] = useState('');
  const [maxKeys, setMaxKeys] = useState<number | string>(10);
  const [expiry, setExpiry] = useState<ExpiryChoice>({ preset: '7', date: '' });
  const [forGateways, setForGateways] = useState(false);

  const create = async (): Promise<void> => {
    const body = {
      name,
      forGateways,
      rackPrefix: rackPrefix === '' ? null : rackPrefix,
      maxKeys: Number(maxKeys),
      // `never` is not offered.
      expiresAt: chosenExpiry(expiry, Date.now()) ?? '',
    };
    showSecret(
      await api.post('/api/v1/cellars/{cellar}/claim-codes', { params: { path: { cellar } }, body }),
    );
  };

  return (
    <FormDialog
      title="Create claim code"
      submit="Create claim code"
      what="create the claim code"
      work={create}
      close={close}
      isReady={Number(maxKeys) >= 1}
    >
      <NameField description="A label, such as the batch of devices." value={name} onChange={setName} />
      <TextInput
        label="Rack prefix"
        description="Only racks whose names start with this can claim a key. Empty: all racks."
        autoComplete="off"
        maxLength={256}
        value={rackPrefix}
        onChange={(event) => setRackPrefix(event.currentTarget.value)}
      />
      <NumberInput
        label="Number of keys"
        required
        min={1}
        max={MAX_KEYS}
        allowDecimal={false}
        value={maxKeys}
        onChange={setMaxKeys}
      />
      <ExpiryFields label="Expires" value={expiry} onChange={setExpiry} maxDays={MAX_DAYS} />
      <Checkbox
        label="For gateways"
        description="Each key is for all racks whose names start with the claimed one, not for one rack."
        checked={forGateways}
        onChange={(event) => setForGateways(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}

/** Shows a claim code once, with an example. */
export function ClaimCodeDialog({
  created: { claimCode, secret },
  close,
}: {
  created: NewClaimCode;
  close: () => void;
}) {
  const rack = `${claimCode.rackPrefix ?? 'rack-'}1`;
  const inShell = JSON.stringify(rack).replaceAll("'", `'"'"'`);
  return (
    <ShownOnceDialog
      title={`Your new claim code “${claimCode.name}”`}
      warning="You won't see this claim code again"
      advice="Copy it now into the configuration of your devices. Cellarman keeps only a hash. Anyone who has it can claim keys until it expires, is used up or is revoked."
      done="I have stored it"
      close={close}
    >
      <CopyField label="Claim code" text={secret} />
      <CopyField
        label="Claim a key with curl"
        text={`openssl rand -hex 32 > device-secret
curl '${window.location.origin}/api/v1/claims' \\
  -H 'Content-Type: application/json' \\
  -d '{"claimCode":"${secret}",
       "rack":${inShell},
       "deviceSecret":"'$(cat device-secret)'"}'`}
        isBlock
      />
    </ShownOnceDialog>
  );
}

export interface RevokeClaimCodeDialogProps {
  claimCode: ClaimCode;
  close: () => void;
  /** Closes the dialog and shows a notice. */
  finish: (done: string) => void;
}

export function RevokeClaimCodeDialog({ claimCode, close, finish }: RevokeClaimCodeDialogProps) {
  const { cellar, id, name, displayPrefix, activeKeys } = claimCode;
  const isRevoked = claimCode.state === 'revoked';
  const [revokeKeys, setRevokeKeys] = useState(isRevoked);
  const revoke = async (): Promise<void> => {
    const { revokedKeys } = await api.post('/api/v1/cellars/{cellar}/claim-codes/{id}/revoke', {
      params: { path: { cellar, id } },
      body: { revokeKeys },
    });
    finish(`Claim code “${name}” revoked${revokeKeys ? ` with ${plural(revokedKeys, 'key')}` : ''}.`);
  };
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      submit="Revoke claim code"
      what="revoke the claim code"
      work={revoke}
      close={close}
      isReady={!isRevoked || revokeKeys}
    >
      <Text>
        {isRevoked ? 'No more keys can be claimed' : 'From now on, no more keys can be claimed'} with{' '}
        <b>{displayPrefix}…</b>. This can't be undone.
      </Text>
      {activeKeys > 0 && (
        <Checkbox
          label={`Also revoke its ${plural(activeKeys, 'active key')}`}
          description="Devices with these keys are rejected within a second."
          checked={revokeKeys}
          onChange={(event) => setRevokeKeys(event.currentTarget.checked)}
        />
      )}
    </ConfirmDialog>
  );
}
