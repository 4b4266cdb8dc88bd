import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import type { AlertDestination } from '../../api/resources.ts';
import { FormDialog } from '../../display/dialogs/dialogs.tsx';
import { NameField } from '../../display/name-field.tsx';

export interface NewAlertDestination {
  destination: AlertDestination;
  /** null: email has none. */
  secret: string | null;
}

export interface DestinationDialogProps {
  cellar: string;
  /** Undefined: a new one. */
  destination: AlertDestination | undefined;
  canEmail: boolean;
  close: () => void;
  created: (created: NewAlertDestination) => void;
  changed: (destination: AlertDestination) => void;
}

/** Adds a destination, or changes one: an empty URL stays as it is. */
export function DestinationDialog(props: DestinationDialogProps) {
  const { cellar, destination, canEmail, close, created, changed } = props;
  const isNew = destination === undefined;
  const [kind, setKind] = useState<AlertDestination['kind']>(destination?.kind ?? 'webhook');
  const [name, setName] = useState(destination?.name ?? '');
  const [url, setUrl] = useState('');
  const [recipients, setRecipients] = useState(destination?.kind === 'email' ? destination.target : '');

  const save = async (): Promise<void> => {
    const addresses = recipients.split(/[\s,;]+/).filter((address) => address !== '');
    if (isNew) {
      const body =
        kind === 'webhook' ? { kind, name, url: url.trim() } : { kind, name, recipients: addresses };
      const path = { path: { cellar } };
      created(await api.post('/api/v1/cellars/{cellar}/alert-destinations', { params: path, body }));
      return;
    }
    const target = kind === 'email' ? { recipients: addresses } : url === '' ? {} : { url: url.trim() };
    changed(
      await api.patch('/api/v1/cellars/{cellar}/alert-destinations/{id}', {
        params: { path: { cellar, id: destination.id } },
        body: { name, ...target },
      }),
    );
  };

  return (
    <FormDialog
      title={isNew ? 'Add destination' : `Edit “${destination.name}”`}
      submit={isNew ? 'Add destination' : 'Save'}
      what={isNew ? 'add the destination' : 'save the destination'}
      work={save}
      close={close}
    >
      {!isNew ? null : canEmail ? (
        <NativeSelect
          label="Kind"
          data={[
            { value: 'webhook', label: 'Webhook' },
            { value: 'email', label: 'Email' },
          ]}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value === 'email' ? 'email' : 'webhook')}
        />
      ) : (
        <Text size="sm" c="dimmed">
          A webhook. For email, the operator has to configure a mail server.
        </Text>
      )}
      <NameField withAsterisk={false} value={name} onChange={setName} />
      {kind === 'webhook' ? (
        <TextInput
          label={isNew ? 'URL' : 'New URL'}
          description={
            isNew
              ? 'Notifications are posted here as JSON. The URL is not shown again.'
              : 'Empty: the URL stays. The signing secret stays in any case.'
          }
          type="url"
          placeholder={isNew ? 'https://' : `${destination.target}/…`}
          required={isNew}
          withAsterisk={false}
          autoComplete="off"
          maxLength={2_000}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
      ) : (
        <TextInput
          label="Recipients"
          description="Up to 10 email addresses, separated by commas."
          required
          withAsterisk={false}
          autoComplete="off"
          value={recipients}
          onChange={(event) => setRecipients(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
