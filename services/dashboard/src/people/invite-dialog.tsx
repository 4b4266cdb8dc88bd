import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { AccessFields } from '../access/access-fields.tsx';
import { chosenAccess, MEMBER_OF_NOTHING } from '../access/access-choice.ts';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import { FormDialog } from '../display/form-dialog.tsx';
import type { NewInvitation } from './link-dialog.tsx';

export interface InviteDialogProps {
  close: () => void;
  tell: (invited: NewInvitation) => void;
}

export function InviteDialog({ close, tell }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [access, setAccess] = useState(MEMBER_OF_NOTHING);

  const invite = async (): Promise<void> => {
    const body = { email, ...chosenAccess(access) };
    tell(await answerOf(keyService.POST('/api/v1/invitations', { body })));
  };

  return (
    <FormDialog title="Invite somebody" submit="Make the link" what="invite them" work={invite} close={close}>
      <TextInput
        label="Email"
        description="You get a link to send them. Inviting an address again replaces its link."
        type="email"
        required
        data-autofocus
        autoComplete="off"
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <AccessFields owner="everything, also people" value={access} onChange={setAccess} />
    </FormDialog>
  );
}
