import { Badge, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../api/api.ts';
import type { OwnSession } from '../api/resources.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { Moment } from '../display/time/moment.tsx';
import { Pages } from '../display/tables/pages.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import { present } from '../display/read-search.ts';
import { RowActions } from '../display/tables/row-actions.tsx';
import { describeBrowser } from './describe-browser.ts';
import { EndOthersDialog, EndSessionDialog } from './end-session-dialogs.tsx';

const route = getRouteApi('/signed-in/account');

/** The active sessions of the user. */
export function SessionsSection({ finish }: { finish: (done: string) => void }) {
  const { cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const [ending, setEnding] = useState<OwnSession | 'others'>();
  const { data, error, refetch, isPlaceholderData } = useQuery(
    apiQuery(
      'sessions',
      '/api/v1/sessions',
      { query: present({ cursor }) },
      { placeholderData: keepPreviousData },
    ),
  );

  const close = (): void => setEnding(undefined);
  const end = (done: string): void => {
    close();
    finish(done);
  };
  const rows = data?.sessions.map((session) => (
    <SessionRow key={session.id} session={session} end={() => setEnding(session)} />
  ));
  // The current session is always listed.
  const isAlone = rows === undefined || (rows.length === 1 && cursor === undefined);

  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Active sessions
        </Title>
        <Button size="xs" variant="default" disabled={isAlone} onClick={() => setEnding('others')}>
          Sign out other sessions
        </Button>
      </Group>
      {error !== null && data === undefined ? (
        <LoadProblem what="your sessions" error={error} retry={() => void refetch()} />
      ) : (
        <ListTable
          label="Active sessions"
          expectedRows={3}
          columns={['Browser', 'IP address', 'Signed in', 'Last used']}
          hasActions
          rows={rows}
          isStale={isPlaceholderData}
        />
      )}
      <Pages
        isFirst={cursor === undefined}
        nextCursor={data?.nextCursor ?? null}
        go={(next) => void navigate({ search: present({ cursor: next }) })}
      />
      {ending === 'others' && <EndOthersDialog close={close} finish={end} />}
      {typeof ending === 'object' && <EndSessionDialog session={ending} close={close} finish={end} />}
    </Stack>
  );
}

function SessionRow({ session, end }: { session: OwnSession; end: () => void }) {
  const { userAgent, address, createdAt, lastUsedAt, isCurrent } = session;
  const browser = describeBrowser(userAgent);
  return (
    <Table.Tr>
      <Table.Td>
        <Text span inherit fw={600}>
          {browser}
        </Text>{' '}
        {isCurrent && <Badge>This browser</Badge>}
      </Table.Td>
      <Table.Td data-label="IP address">{address ?? 'Unknown'}</Table.Td>
      <Table.Td data-label="Signed in">
        <Moment at={createdAt} />
      </Table.Td>
      <Table.Td data-label="Last used">
        <Moment at={lastUsedAt} />
      </Table.Td>
      <Table.Td>
        {!isCurrent && (
          <RowActions>
            <Button size="xs" variant="default" aria-label={`Sign out ${browser}`} onClick={end}>
              Sign out
            </Button>
          </RowActions>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
