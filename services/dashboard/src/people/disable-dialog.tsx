import { Text } from '@mantine/core';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import { ConfirmDialog } from '../display/confirm-dialog.tsx';
import type { PersonDialogProps } from './change-access-dialog.tsx';

/** Shuts somebody out, or takes that back. */
export function DisableDialog({ person: { id, email, disabledAt }, close, finish }: PersonDialogProps) {
  const isDisabled = disabledAt === null;
  const change = async (): Promise<void> => {
    await answerOf(
      keyService.PATCH('/api/v1/administrators/{id}', { params: { path: { id } }, body: { isDisabled } }),
    );
    finish(isDisabled ? `${email} is disabled and signed out.` : `${email} can sign in again.`);
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
        They are signed out everywhere at once, and cannot sign in. API keys and service tokens that they have
        made go on working. You can enable them again.
      </Text>
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
