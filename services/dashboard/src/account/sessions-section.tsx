import { Badge, Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Part } from '../display/blocks.tsx';
import { apiQuery } from '../api/api.ts';
import type { OwnSession } from '../api/resources.ts';
import { Moment } from '../display/time/moment.tsx';
import { PagedList } from '../display/tables/paged-list.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { present } from '../display/read-search.ts';
import { RowActions } from '../display/tables/row-actions.tsx';
import { Strong } from '../display/text.tsx';
import { describeBrowser } from './describe-browser.ts';
import { EndOthersDialog, EndSessionDialog } from './end-session-dialogs.tsx';

const route = getRouteApi('/signed-in/account');

const COLUMNS: Column<OwnSession>[] = [
  {
    name: 'Browser',
    isTitle: true,
    cell: ({ userAgent, isCurrent }) => (
      <>
        <Strong>{describeBrowser(userAgent)}</Strong> {isCurrent && <Badge>This browser</Badge>}
      </>
    ),
  },
  { name: 'IP address', cell: ({ address }) => address ?? 'Unknown' },
  { name: 'Signed in', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
];

/** The active sessions of the user. */
export function SessionsSection({ finish }: { finish: (done: string) => void }) {
  const { cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const [ending, setEnding] = useState<OwnSession | 'others'>();
  const query = useQuery(
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
  // The current session is always listed.
  const isAlone = query.data === undefined || (query.data.sessions.length === 1 && cursor === undefined);

  return (
    <Part
      order={2}
      title="Active sessions"
      action={
        <Button size="xs" variant="default" disabled={isAlone} onClick={() => setEnding('others')}>
          Sign out other sessions
        </Button>
      }
    >
      <PagedList
        what="your sessions"
        query={query}
        rows={query.data?.sessions}
        cursor={cursor}
        go={(next) => void navigate({ search: present({ cursor: next }) })}
      >
        <ListTable
          label="Active sessions"
          expectedRows={3}
          columns={COLUMNS}
          rows={query.data?.sessions}
          keyOf={({ id }) => id}
          actions={(session) =>
            !session.isCurrent && (
              <RowActions
                of={describeBrowser(session.userAgent)}
                actions={[{ label: 'Sign out', run: () => setEnding(session) }]}
              />
            )
          }
          isStale={query.isPlaceholderData}
        />
      </PagedList>
      {ending === 'others' && <EndOthersDialog close={close} finish={end} />}
      {typeof ending === 'object' && <EndSessionDialog session={ending} close={close} finish={end} />}
    </Part>
  );
}
