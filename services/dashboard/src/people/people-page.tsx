import { Button, Group, Stack, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Invitation, Person } from '../api/resources.ts';
import { useNotice } from '../display/use-notice.tsx';
import { present } from '../display/read-search.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { OwnersOnly } from '../session/roles.tsx';
import { InviteDialog, LinkDialog, WithdrawDialog } from './invitation-dialogs.tsx';
import type { NewInvitation } from './invitation-dialogs.tsx';
import { InvitationsSection } from './invitations-section.tsx';
import { ChangeAccessDialog, DisableDialog } from './person-dialogs.tsx';
import { PeopleSection } from './people-section.tsx';

const route = getRouteApi('/signed-in/people');

/** The open dialog. The invite link is only kept here, until its dialog closes. */
type Open =
  | { dialog: 'invite' }
  | { dialog: 'link'; invited: NewInvitation }
  | { dialog: 'access' | 'disable'; person: Person }
  | { dialog: 'withdraw'; invitation: Invitation };

/** Users and pending invitations. */
export function PeoplePage() {
  usePageTitle('Users');
  return (
    <OwnersOnly>
      <People />
    </OwnersOnly>
  );
}

function People() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<Open>();
  const { notice, finish } = useNotice('people', 'invitations', 'session', 'audit');

  const close = (): void => setOpen(undefined);
  const closeAndFinish = (done: string): void => {
    close();
    finish(done);
  };
  const showLink = (invited: NewInvitation): void => {
    setOpen({ dialog: 'link', invited });
    finish();
  };

  return (
    <Stack gap="lg">
      <div>
        <Group justify="space-between">
          <Title order={1} size="h2">
            Users
          </Title>
          <Button onClick={() => setOpen({ dialog: 'invite' })}>Invite user</Button>
        </Group>
        {notice}
      </div>
      <PeopleSection
        cursor={search.cursor}
        go={(cursor) => void navigate({ search: present({ ...search, cursor }) })}
        act={(dialog, person) => setOpen({ dialog, person })}
      />
      <InvitationsSection
        cursor={search.invitations}
        go={(invitations) => void navigate({ search: present({ ...search, invitations }) })}
        withdraw={(invitation) => setOpen({ dialog: 'withdraw', invitation })}
      />

      {open?.dialog === 'invite' && <InviteDialog close={close} showLink={showLink} />}
      {open?.dialog === 'link' && <LinkDialog invited={open.invited} close={close} />}
      {open?.dialog === 'access' && (
        <ChangeAccessDialog person={open.person} close={close} finish={closeAndFinish} />
      )}
      {open?.dialog === 'disable' && (
        <DisableDialog person={open.person} close={close} finish={closeAndFinish} />
      )}
      {open?.dialog === 'withdraw' && (
        <WithdrawDialog invitation={open.invitation} close={close} finish={closeAndFinish} />
      )}
    </Stack>
  );
}
