import { Button, Group, Stack, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Invitation, Person } from '../api/resources.ts';
import { Notice } from '../display/notice.tsx';
import { present } from '../display/read-search.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { OwnersOnly } from '../session/owners-only.tsx';
import { ChangeAccessDialog } from './change-access-dialog.tsx';
import { DisableDialog } from './disable-dialog.tsx';
import { InvitationsSection } from './invitations-section.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import type { NewInvitation } from './link-dialog.tsx';
import { PeopleSection } from './people-section.tsx';
import { WithdrawDialog } from './withdraw-dialog.tsx';

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
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const [notice, setNotice] = useState<string>();

  const close = (): void => setOpen(undefined);
  const refresh = (): void => {
    for (const changed of ['people', 'invitations', 'session', 'audit']) {
      void queryClient.invalidateQueries({ queryKey: [changed] });
    }
  };
  const finish = (done: string): void => {
    close();
    setNotice(done);
    refresh();
  };
  const showLink = (invited: NewInvitation): void => {
    setNotice(undefined);
    setOpen({ dialog: 'link', invited });
    refresh();
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
        <Notice close={() => setNotice(undefined)}>{notice}</Notice>
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
      {open?.dialog === 'access' && <ChangeAccessDialog person={open.person} close={close} finish={finish} />}
      {open?.dialog === 'disable' && <DisableDialog person={open.person} close={close} finish={finish} />}
      {open?.dialog === 'withdraw' && (
        <WithdrawDialog invitation={open.invitation} close={close} finish={finish} />
      )}
    </Stack>
  );
}
