import { Text } from '@mantine/core';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import type { ServiceToken } from '../api/resources.ts';
import { ConfirmDialog } from '../display/confirm-dialog.tsx';
import { Moment } from '../display/moment.tsx';

export interface RevokeTokenDialogProps {
  token: ServiceToken;
  close: () => void;
  /** Closes too, and says what was done. */
  finish: (done: string) => void;
}

export function RevokeTokenDialog({ token, close, finish }: RevokeTokenDialogProps) {
  const { id, name, displayPrefix, lastUsedAt } = token;
  const revoke = async (): Promise<void> => {
    await answerOf(keyService.POST('/api/v1/tokens/{id}/revoke', { params: { path: { id } } }));
    finish(`Revoked ${name}. Requests with it get 401 from now on.`);
  };
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      confirm="Revoke token"
      keep="Keep it"
      what="revoke the token"
      work={revoke}
      close={close}
    >
      <Text>
        Scripts that use <b>{displayPrefix}…</b> get 401 at once, for good. API keys that they have made go on
        working.
      </Text>
      <Text>
        Last used: <Moment at={lastUsedAt} />
      </Text>
    </ConfirmDialog>
  );
}
