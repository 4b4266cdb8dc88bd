import { Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf } from '../api/answer-of.ts';
import { isPassing } from '../api/api-error.ts';
import { keyService } from '../api/key-service.ts';
import { LoadProblem } from '../display/load-problem.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { NewPassword } from './new-password.tsx';
import { sessionQuery } from './session-query.ts';

/** Whoever has the link joins. Its token stands behind `#`, which no browser sends, so no log has it. */
export function InvitationPage() {
  usePageTitle('Invitation');
  const hash = useRouterState({ select: ({ location }) => location.hash });
  // On the way to the next page the address has none.
  const [token, setToken] = useState(hash);
  if (hash !== '' && hash !== token) setToken(hash);
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

  const join = async (): Promise<void> => {
    const session = await answerOf(keyService.POST('/api/v1/join', { body: { token, password } }));
    queryClient.setQueryData(sessionQuery.queryKey, session);
    await navigate({ to: '/', replace: true });
  };

  if (error !== null) {
    return (
      <EntryFrame title="Join Cellarman">
        {isPassing(error) ? (
          <LoadProblem what="the invitation" error={error} retry={() => void refetch()} />
        ) : (
          <Text>
            This link does not work. It may have been used, withdrawn or replaced, or it has expired. Ask
            whoever invited you for another one.
          </Text>
        )}
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title="Join Cellarman">
      {invitation === undefined ? (
        <Skeleton height={180} />
      ) : (
        <EntryForm
          intro={
            <Text size="sm">
              You are invited as <b>{invitation.email}</b>, {describeRights(invitation)}. Choose a password.
            </Text>
          }
          submit="Join"
          what="let you join"
          work={join}
        >
          {/* For the browser, which remembers the password by it. */}
          <input type="hidden" name="email" autoComplete="username" value={invitation.email} />
          <NewPassword value={password} onChange={setPassword} />
        </EntryForm>
      )}
    </EntryFrame>
  );
}

function describeRights({ role, cellars }: { role: string; cellars: string[] | null }): string {
  if (role === 'owner') return 'as an owner of everything';
  return cellars === null || cellars.length === 0 ? 'as a member' : `for ${cellars.join(', ')}`;
}
