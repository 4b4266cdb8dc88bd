import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import { useAction } from '../api/use-action.ts';
import { Problem } from '../display/problem.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { EntryFrame } from './entry-frame.tsx';
import { sessionQuery } from './session-query.ts';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  usePageTitle('Sign in');
  const { next, ended } = route.useSearch();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');

  const signIn = useAction(async () => {
    const session = await answerOf(keyService.POST('/api/v1/session', { body: { email, password } }));
    queryClient.setQueryData(sessionQuery.queryKey, session);
    router.history.replace(next ?? '/');
  });

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void signIn.run();
  };

  return (
    <EntryFrame title="Sign in to Cellarman">
      <form onSubmit={submit}>
        <Stack>
          {ended === true && signIn.error === undefined && (
            <Alert color="gray" title="Your session has ended">
              Sign in to go on where you were. Readings are still being stored.
            </Alert>
          )}
          <Problem error={signIn.error} what="sign you in" />
          <TextInput
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            required
            withAsterisk={false}
            data-autofocus
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
    </EntryFrame>
  );
}
