import { Stack, Text, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { describeCellars, describeRole } from '../access/describe-access.ts';
import { useNotice } from '../display/use-notice.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { sessionQuery } from '../session/session-query.ts';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** The active sessions and the password of the signed-in user. */
export function AccountPage() {
  usePageTitle('Your account');
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { user } = session;
  const { notice, finish } = useNotice('sessions');

  return (
    <Stack gap="lg">
      <div>
        <Title order={1} size="h2">
          Your account
        </Title>
        <Text c="dimmed">
          {user.email} · {describeRole(user)} · Cellars: {describeCellars(user)}
        </Text>
        {notice}
      </div>
      <SessionsSection finish={finish} />
      <PasswordSection finish={finish} />
    </Stack>
  );
}
