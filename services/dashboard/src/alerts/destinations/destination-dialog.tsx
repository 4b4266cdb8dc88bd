import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AlertDestination } from '../../api/resources.ts';
import { responseData } from '../../api/response-data.ts';
import { keyService } from '../../api/key-service.ts';
import { FormDialog } from '../../display/dialogs/form-dialog.tsx';
import { NameField } from '../../display/name-field.tsx';

export interface NewAlertDestination {
  destination: AlertDestination;
  /** null: email has none. */
  secret: string | null;
}

export interface DestinationDialogProps {
  cellar: string;
  canEmail: boolean;
  close: () => void;
  created: (created: NewAlertDestination) => void;
}

export function DestinationDialog({ cellar, canEmail, close, created }: DestinationDialogProps) {
  const [kind, setKind] = useState<AlertDestination['kind']>('webhook');
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [recipients, setRecipients] = useState('');

  const create = async (): Promise<void> => {
    const body =
      kind === 'webhook'
        ? { kind, name, url: url.trim() }
        : { kind, name, recipients: recipients.split(/[\s,;]+/).filter((address) => address !== '') };
    created(
      await responseData(
        keyService.POST('/api/v1/cellars/{cellar}/alert-destinations', {
          params: { path: { cellar } },
          body,
        }),
      ),
    );
  };

  return (
    <FormDialog
      title="Add destination"
      submit="Add destination"
      what="add the destination"
      work={create}
      close={close}
    >
      {canEmail ? (
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
          label="URL"
          description="Notifications are posted here as JSON. The URL is not shown again."
          type="url"
          placeholder="https://"
          required
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
