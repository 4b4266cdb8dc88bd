import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import { useAction } from '../api/use-action.ts';
import { describeLocal } from '../display/describe-time.ts';
import { Problem } from '../display/problem.tsx';
import { chosenExpiry, expiryChoiceOf } from './expiry-choice.ts';
import { ExpiryFields } from './expiry-fields.tsx';
import type { KeyChangeDialogProps } from './revoke-dialog.tsx';

export function ChangeExpiryDialog({ apiKey, close, finish }: KeyChangeDialogProps) {
  const { cellar, id, name } = apiKey;
  const [expiry, setExpiry] = useState(() => expiryChoiceOf(apiKey.expiresAt));

  const change = useAction(async () => {
    const changed = await answerOf(
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
  });

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void change.run();
  };

  return (
    <Modal
      opened
      onClose={close}
      title={`Change the expiry of ${name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit}>
        <Stack>
          <Problem error={change.error} what="change the expiry" />
          <ExpiryFields label="Expires" value={expiry} onChange={setExpiry} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Change expiry
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
