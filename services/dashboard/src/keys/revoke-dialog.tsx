import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import type { Key } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { ConfirmDialog } from '../display/confirm-dialog.tsx';
import { Moment } from '../display/moment.tsx';

export interface KeyChangeDialogProps {
  apiKey: Key;
  close: () => void;
  /** Closes too, and says what was done. */
  finish: (done: ReactNode) => void;
}

export function RevokeDialog({ apiKey, close, finish }: KeyChangeDialogProps) {
  const { cellar, id, name, displayPrefix, lastUsedAt } = apiKey;
  const revoke = async (): Promise<void> => {
    await answerOf(
      keyService.POST('/api/v1/cellars/{cellar}/keys/{id}/revoke', { params: { path: { cellar, id } } }),
    );
    finish(
      <>
        Revoked {name}. Requests with it get 401 within a second.{' '}
        <AppLink to="/cellars/$cellar/audit" params={{ cellar }} inherit>
          See the audit
        </AppLink>
      </>,
    );
  };

  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      confirm="Revoke key"
      keep="Keep it"
      what="revoke the key"
      work={revoke}
      close={close}
    >
      <Text>
        Everything that uses <b>{displayPrefix}…</b> gets 401 within a second, for good. A revoked key cannot
        be brought back. Readings that it has sent stay.
      </Text>
      <Text>
        Last used: <Moment at={lastUsedAt} />
      </Text>
    </ConfirmDialog>
  );
}
