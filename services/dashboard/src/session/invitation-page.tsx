import { Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { isPassing } from '../api/api-error.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { EntryForm, EntryFrame } from './entry.tsx';
import { NewPassword } from './password-fields.tsx';
import { sessionQuery } from './session-query.ts';

/** Accepts an invitation. Its token is in the fragment of the URL, which browsers do not send, so no log has it. */
export function InvitationPage() {
  usePageTitle('Invitation');
  const hash = useRouterState({ select: ({ location }) => location.hash });
  // During navigation to the next page, the URL has none.
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
    queryFn: () => api.post('/api/v1/join/lookup', { body: { token } }),
    staleTime: Infinity,
  });

  const join = async (): Promise<void> => {
    const session = await api.post('/api/v1/join', { body: { token, password } });
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
            This link is not valid. It may have expired, or been used, withdrawn or replaced. Request a new
            one from the person who invited you.
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
              You are invited as <b>{invitation.email}</b> {describeAccess(invitation)}. Choose a password.
            </Text>
          }
          submit="Join"
          what="accept the invitation"
          work={join}
        >
          {/* For the password manager of the browser. */}
          <input type="hidden" name="email" autoComplete="username" value={invitation.email} />
          <NewPassword value={password} onChange={setPassword} />
        </EntryForm>
      )}
    </EntryFrame>
  );
}

function describeAccess({ role, cellars }: { role: string; cellars: string[] | null }): string {
  if (role === 'owner') return 'with full access';
  if (cellars === null || cellars.length === 0) return `as a ${role}`;
  return `${role === 'viewer' ? 'to view' : 'with access to'} ${cellars.join(', ')}`;
}
