import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import { useAction } from '../api/use-action.ts';
import { Problem } from '../display/problem.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { EntryFrame } from './entry-frame.tsx';
import { NewPassword } from './new-password.tsx';
import { sessionQuery } from './session-query.ts';

/** The first start: whoever can read the log makes the first account. */
export function SetUpPage() {
  usePageTitle('Set up');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [token, setToken] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');

  const setUp = useAction(async () => {
    const body = { token: token.trim(), email, password };
    const session = await answerOf(keyService.POST('/api/v1/setup', { body }));
    queryClient.setQueryData(sessionQuery.queryKey, session);
    await navigate({ to: '/' });
  });

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void setUp.run();
  };

  return (
    <EntryFrame title="Set up Cellarman">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">Nobody can sign in yet. Make the first account; it may do everything.</Text>
          <Problem error={setUp.error} what="make the account" />
          <TextInput
            label="Token"
            description="From the log of key-service. It works once."
            required
            withAsterisk={false}
            autoComplete="off"
            spellCheck={false}
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
          />
          <TextInput
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <NewPassword value={password} onChange={setPassword} />
          <Button type="submit" loading={setUp.isPending}>
            Make the account
          </Button>
        </Stack>
      </form>
    </EntryFrame>
  );
}
