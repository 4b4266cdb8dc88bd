import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { AccessFields } from '../access/access-fields.tsx';
import { chosenAccess, givesAccess, MEMBER_OF_NOTHING } from '../access/access-choice.ts';
import { api } from '../api/api.ts';
import type { Invitation } from '../api/resources.ts';
import { CopyField } from '../display/copy-field.tsx';
import { ConfirmDialog, FormDialog, ShownOnceDialog } from '../display/dialogs/dialogs.tsx';
import { Moment } from '../display/time/moment.tsx';

export interface NewInvitation {
  invitation: Invitation;
  token: string;
}

export interface InviteDialogProps {
  close: () => void;
  showLink: (invited: NewInvitation) => void;
}

export function InviteDialog({ close, showLink }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [access, setAccess] = useState(MEMBER_OF_NOTHING);

  const invite = async (): Promise<void> => {
    const body = { email, ...chosenAccess(access) };
    showLink(await api.post('/api/v1/invitations', { body }));
  };

  return (
    <FormDialog
      title="Invite user"
      submit="Create invite link"
      what="invite the user"
      work={invite}
      close={close}
      isReady={givesAccess(access)}
    >
      <TextInput
        label="Email"
        description="You get a link to send. A new invitation replaces the old link."
        type="email"
        required
        data-autofocus
        autoComplete="off"
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <AccessFields owner="full access" value={access} onChange={setAccess} />
    </FormDialog>
  );
}

/** Shows an invite link once. */
export function LinkDialog({
  invited: { invitation, token },
  close,
}: {
  invited: NewInvitation;
  close: () => void;
}) {
  const { email, expiresAt } = invitation;
  return (
    <ShownOnceDialog
      title={`Invite link for ${email}`}
      warning="You won't see this link again"
      advice="Invitations are not emailed. Send this link to them yourself. The first person to use it gets the account."
      done="I have sent it"
      close={close}
    >
      <CopyField label="Link" text={`${window.location.origin}/invitation#${token}`} />
      <Text size="sm">
        The link works once and expires <Moment at={expiresAt} />.
      </Text>
    </ShownOnceDialog>
  );
}

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
      submit="Withdraw"
      what="withdraw the invitation"
      work={withdraw}
      close={close}
    >
      <Text>The link you sent stops working immediately. You can invite them again.</Text>
    </ConfirmDialog>
  );
}
