import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import { ConfirmDialog } from '../display/confirm-dialog.tsx';
import type { PersonDialogProps } from './change-access-dialog.tsx';

/** Shuts somebody out, or takes that back. */
export function DisableDialog({ person: { id, email, disabledAt }, close, finish }: PersonDialogProps) {
  const isDisabled = disabledAt === null;
  const [withCreated, setWithCreated] = useState(false);
  const change = async (): Promise<void> => {
    await answerOf(
      keyService.PATCH('/api/v1/administrators/{id}', {
        params: { path: { id } },
        body: { isDisabled, ...(isDisabled && withCreated ? { revokeCreated: true } : {}) },
      }),
    );
    finish(
      !isDisabled
        ? `${email} can sign in again.`
        : withCreated
          ? `${email} is disabled and signed out. Their tokens and keys are revoked.`
          : `${email} is disabled and signed out.`,
    );
  };

  return isDisabled ? (
    <ConfirmDialog
      title={`Disable ${email}?`}
      confirm="Disable"
      keep="Leave it"
      what="disable them"
      work={change}
      close={close}
    >
      <Text>
        They are signed out everywhere and cannot sign in. You can enable them again. API keys and service
        tokens that they created continue to work unless you revoke them.
      </Text>
      <Checkbox
        label="Revoke the tokens and keys they created"
        description="Also the keys that their tokens created. Devices and scripts that use them get 401, for good."
        checked={withCreated}
        onChange={(event) => setWithCreated(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      title={`Enable ${email} again?`}
      confirm="Enable"
      keep="Leave it"
      what="enable them"
      work={change}
      close={close}
      isHarmful={false}
    >
      <Text>They sign in with the password that they had, and may do what they could before.</Text>
    </ConfirmDialog>
  );
}
