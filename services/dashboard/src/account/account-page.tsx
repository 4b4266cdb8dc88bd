import { Stack, Text, Title } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeCellars, describeRole } from '../access/describe-access.ts';
import { Notice } from '../display/notice.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { sessionQuery } from '../session/session-query.ts';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** The active sessions and the password of the signed-in user. */
export function AccountPage() {
  usePageTitle('Your account');
  const queryClient = useQueryClient();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { user } = session;
  const [notice, setNotice] = useState<string>();

  const finish = (done: string): void => {
    setNotice(done);
    void queryClient.invalidateQueries({ queryKey: ['sessions'] });
  };

  return (
    <Stack gap="lg">
      <div>
        <Title order={1} size="h2">
          Your account
        </Title>
        <Text c="dimmed">
          {user.email} · {describeRole(user)} · Cellars: {describeCellars(user)}
        </Text>
        <Notice close={() => setNotice(undefined)}>{notice}</Notice>
      </div>
      <SessionsSection finish={finish} />
      <PasswordSection finish={finish} />
    </Stack>
  );
}
