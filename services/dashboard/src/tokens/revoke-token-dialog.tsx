import { Text } from '@mantine/core';
import { api } from '../api/api.ts';
import type { ServiceToken } from '../api/resources.ts';
import { ConfirmDialog } from '../display/dialogs/confirm-dialog.tsx';
import { Moment } from '../display/time/moment.tsx';

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
      confirm="Revoke token"
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
