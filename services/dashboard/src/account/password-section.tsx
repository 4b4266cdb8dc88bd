import { Button, Group, Stack } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { onSubmit, useAction } from '../api/use-action.ts';
import { Problem } from '../display/problems/load-problem.tsx';
import { Section } from '../display/blocks.tsx';
import { CurrentPassword, NewPassword } from '../session/password-fields.tsx';
import { sessionQuery } from '../session/session-query.ts';

/** Changes the user's own password, then clears the fields. */
export function PasswordSection({ finish }: { finish: (done: string) => void }) {
  const queryClient = useQueryClient();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [currentPassword, setCurrentPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');

  const change = useAction(async () => {
    const body = { currentPassword, newPassword };
    const fresh = await api.post('/api/v1/session/password', { body });
    queryClient.setQueryData(sessionQuery.queryKey, fresh);
    setCurrentPassword('');
    setNewPassword('');
    finish('Password changed. You are signed out everywhere else.');
  });

  return (
    <Section title="Password" about="Changing it signs you out everywhere else.">
      <form onSubmit={onSubmit(change.run)}>
        <Stack maw={420}>
          <Problem error={change.error} what="change the password" />
          {/* For the password manager of the browser. */}
          <input type="hidden" name="email" autoComplete="username" value={session.user.email} />
          <CurrentPassword label="Current password" value={currentPassword} onChange={setCurrentPassword} />
          <NewPassword label="New password" value={newPassword} onChange={setNewPassword} />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
