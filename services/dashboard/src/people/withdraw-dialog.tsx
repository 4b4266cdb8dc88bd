import { Text } from '@mantine/core';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import type { Invitation } from '../api/resources.ts';
import { ConfirmDialog } from '../display/confirm-dialog.tsx';

export interface WithdrawDialogProps {
  invitation: Invitation;
  close: () => void;
  finish: (done: string) => void;
}

export function WithdrawDialog({ invitation: { id, email }, close, finish }: WithdrawDialogProps) {
  const withdraw = async (): Promise<void> => {
    await answerOf(keyService.DELETE('/api/v1/invitations/{id}', { params: { path: { id } } }));
    finish(`The invitation of ${email} is withdrawn.`);
  };
  return (
    <ConfirmDialog
      title={`Withdraw the invitation of ${email}?`}
      confirm="Withdraw"
      keep="Leave it"
      what="withdraw the invitation"
      work={withdraw}
      close={close}
    >
      <Text>The link that you have sent stops working at once. You can invite them again.</Text>
    </ConfirmDialog>
  );
}
