import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { AccessFields } from '../access/access-fields.tsx';
import { chosenAccess, givesAccess, MEMBER_OF_NOTHING } from '../access/access-choice.ts';
import { FormDialog } from '../display/dialogs/form-dialog.tsx';
import type { NewInvitation } from './link-dialog.tsx';

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
