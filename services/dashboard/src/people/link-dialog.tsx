import { Text } from '@mantine/core';
import type { Invitation } from '../api/resources.ts';
import { CopyField } from '../display/copy-field.tsx';
import { Moment } from '../display/time/moment.tsx';
import { ShownOnceDialog } from '../display/dialogs/shown-once-dialog.tsx';

export interface NewInvitation {
  invitation: Invitation;
  token: string;
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
