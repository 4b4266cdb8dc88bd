import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import { useAction } from '../api/use-action.ts';
import { LoadProblem } from '../display/load-problem.tsx';
import { Problem } from '../display/problem.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { EntryFrame } from './entry-frame.tsx';
import { NewPassword } from './new-password.tsx';
import { sessionQuery } from './session-query.ts';

/** Whoever has the link joins. Its token stands behind `#`, which no browser sends, so no log has it. */
export function InvitationPage() {
  usePageTitle('Invitation');
  const token = useRouterState({ select: ({ location }) => location.hash });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [password, setPassword] = useState('');
  const {
    data: invitation,
    error,
    refetch,
  } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => answerOf(keyService.POST('/api/v1/join/look-up', { body: { token } })),
    staleTime: Infinity,
  });

  const join = useAction(async () => {
    const session = await answerOf(keyService.POST('/api/v1/join', { body: { token, password } }));
    queryClient.setQueryData(sessionQuery.queryKey, session);
    await navigate({ to: '/', replace: true });
  });

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void join.run();
  };

  if (error !== null) {
    return (
      <EntryFrame title="Join Cellarman">
        <LoadProblem what="the invitation" error={error} retry={() => void refetch()} />
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title="Join Cellarman">
      {invitation === undefined ? (
        <Skeleton height={180} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">
              You are invited as <b>{invitation.email}</b>, {describeRights(invitation)}. Choose a password.
            </Text>
            <Problem error={join.error} what="let you join" />
            {/* For the browser, which remembers the password by it. */}
            <input type="hidden" name="email" autoComplete="username" value={invitation.email} />
            <NewPassword value={password} onChange={setPassword} />
            <Button type="submit" loading={join.isPending}>
              Join
            </Button>
          </Stack>
        </form>
      )}
    </EntryFrame>
  );
}

function describeRights({ role, cellars }: { role: string; cellars: string[] | null }): string {
  if (role === 'owner') return 'as an owner of everything';
  return cellars === null || cellars.length === 0 ? 'as a member' : `for ${cellars.join(', ')}`;
}
