import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ServiceToken } from '../api/resources.ts';
import { EmptyState } from '../display/blocks.tsx';
import { useNotice } from '../display/use-notice.tsx';
import { PagedList } from '../display/tables/paged-list.tsx';
import { present } from '../display/read-search.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { OwnersOnly } from '../session/roles.tsx';
import { CreateTokenDialog, RevokeTokenDialog, TokenSecretDialog } from './token-dialogs.tsx';
import type { NewToken } from './token-dialogs.tsx';
import { tokensQuery } from './tokens-query.ts';
import { TokensTable } from './tokens-table.tsx';

const route = getRouteApi('/signed-in/tokens');

/** The open dialog. */
type Open =
  | { dialog: 'create' }
  // A secret is only kept here, until its dialog closes.
  | { dialog: 'secret'; created: NewToken }
  | { dialog: 'revoke'; token: ServiceToken };

/** The service tokens, for scripts that manage cellars and keys. */
export function TokensPage() {
  usePageTitle('Service tokens');
  return (
    <OwnersOnly>
      <Tokens />
    </OwnersOnly>
  );
}

function Tokens() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<Open>();
  const { notice, finish } = useNotice('tokens', 'audit');
  const query = useQuery(tokensQuery(search));
  const { data } = query;

  const close = (): void => setOpen(undefined);
  const create = (): void => setOpen({ dialog: 'create' });
  const showSecret = (created: NewToken): void => {
    setOpen({ dialog: 'secret', created });
    finish();
  };
  const closeAndFinish = (done: string): void => {
    close();
    finish(done);
  };

  return (
    <Stack>
      <div>
        <Group justify="space-between">
          <Title order={1} size="h2">
            Service tokens
          </Title>
          <Button onClick={create}>Create token</Button>
        </Group>
        <Text c="dimmed">Service tokens let scripts manage cellars and keys. They cannot send readings.</Text>
        {notice}
      </div>
      <PagedList
        what="the service tokens"
        query={query}
        rows={data?.tokens}
        cursor={search.cursor}
        go={(cursor) => void navigate({ search: present({ cursor }) })}
        empty={
          <EmptyState
            title="No service tokens"
            action={<Button onClick={create}>Create your first token</Button>}
          >
            For scripts that create keys, and for the CLI on servers.
          </EmptyState>
        }
      >
        <TokensTable
          tokens={data?.tokens}
          isStale={query.isPlaceholderData}
          revoke={(token) => setOpen({ dialog: 'revoke', token })}
        />
      </PagedList>
      {open?.dialog === 'create' && data !== undefined && (
        <CreateTokenDialog maxDays={data.maxDays} close={close} showSecret={showSecret} />
      )}
      {open?.dialog === 'secret' && <TokenSecretDialog created={open.created} close={close} />}
      {open?.dialog === 'revoke' && (
        <RevokeTokenDialog token={open.token} close={close} finish={closeAndFinish} />
      )}
    </Stack>
  );
}
