import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import type { Key } from '../api/resources.ts';
import { useAction } from '../api/use-action.ts';
import { AppLink } from '../display/app-link.tsx';
import { Moment } from '../display/moment.tsx';
import { Problem } from '../display/problem.tsx';

export interface KeyChangeDialogProps {
  apiKey: Key;
  close: () => void;
  /** Closes too, and says what was done. */
  finish: (done: ReactNode) => void;
}

export function RevokeDialog({ apiKey, close, finish }: KeyChangeDialogProps) {
  const { cellar, id, name, displayPrefix, lastUsedAt } = apiKey;
  const revoke = useAction(async () => {
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
  });

  return (
    <Modal opened onClose={close} title={`Revoke ${name}?`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Problem error={revoke.error} what="revoke the key" />
        <Text>
          Everything that uses <b>{displayPrefix}…</b> gets 401 within a second, for good. A revoked key
          cannot be brought back. Readings that it has sent stay.
        </Text>
        <Text>
          Last used: <Moment at={lastUsedAt} />
        </Text>
        <Group justify="space-between">
          <Button color="red" loading={revoke.isPending} onClick={() => void revoke.run()}>
            Revoke key
          </Button>
          <Button variant="default" data-autofocus onClick={close}>
            Keep it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
