import { Text } from '@mantine/core';
import { api } from '../api/api.ts';
import type { Invitation } from '../api/resources.ts';
import { ConfirmDialog } from '../display/dialogs/confirm-dialog.tsx';

export interface WithdrawDialogProps {
  invitation: Invitation;
  close: () => void;
  finish: (done: string) => void;
}

export function WithdrawDialog({ invitation: { id, email }, close, finish }: WithdrawDialogProps) {
  const withdraw = async (): Promise<void> => {
    await api.delete('/api/v1/invitations/{id}', { params: { path: { id } } });
    finish(`Invitation for ${email} withdrawn.`);
  };
  return (
    <ConfirmDialog
      title={`Withdraw the invitation for ${email}?`}
      confirm="Withdraw"
      what="withdraw the invitation"
      work={withdraw}
      close={close}
    >
      <Text>The link you sent stops working immediately. You can invite them again.</Text>
    </ConfirmDialog>
  );
}
