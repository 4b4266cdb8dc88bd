import { Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { CurrentPassword, EmailField } from './password-fields.tsx';
import { EntryForm, EntryFrame } from './entry.tsx';
import { sessionQuery } from './session-query.ts';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  usePageTitle('Sign in');
  const { next, ended } = route.useSearch();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');

  const signIn = async (): Promise<void> => {
    const session = await api.post('/api/v1/session', { body: { email, password } });
    queryClient.setQueryData(sessionQuery.queryKey, session);
    router.history.replace(next ?? '/');
  };

  return (
    <EntryFrame title="Sign in to Cellarman">
      <EntryForm
        intro={
          ended === true && (
            <Alert color="gray" title="Your session has ended">
              Sign in to continue where you left off.
            </Alert>
          )
        }
        submit="Sign in"
        what="sign you in"
        work={signIn}
      >
        <EmailField value={email} onChange={setEmail} hasFocus />
        <CurrentPassword label="Password" value={password} onChange={setPassword} />
      </EntryForm>
    </EntryFrame>
  );
}
