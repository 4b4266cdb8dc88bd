import { Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { EmailField, NewPassword } from './password-fields.tsx';
import { EntryForm, EntryFrame } from './entry.tsx';
import { sessionQuery, setUpQuery } from './session-query.ts';

/** The first start: creates the first account, with the token from the log. */
export function SetUpPage() {
  usePageTitle('Set up');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [token, setToken] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');

  const setUp = async (): Promise<void> => {
    const body = { token: token.trim(), email, password };
    const session = await api.post('/api/v1/setup', { body });
    queryClient.setQueryData(sessionQuery.queryKey, session);
    queryClient.setQueryData(setUpQuery.queryKey, { isNeeded: false });
    await navigate({ to: '/' });
  };

  return (
    <EntryFrame title="Set up Cellarman">
      <EntryForm
        intro={<Text size="sm">Create the first account. It will be the owner.</Text>}
        submit="Create account"
        what="create the account"
        work={setUp}
      >
        <TextInput
          label="Set-up token"
          description="From the log of key-service. Works once."
          required
          withAsterisk={false}
          autoComplete="off"
          spellCheck={false}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <EmailField value={email} onChange={setEmail} />
        <NewPassword value={password} onChange={setPassword} />
      </EntryForm>
    </EntryFrame>
  );
}
