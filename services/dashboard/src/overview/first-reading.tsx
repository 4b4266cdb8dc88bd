import { Alert, Button, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { useAction } from '../api/use-action.ts';
import { AppLink } from '../display/app-link.tsx';
import { Problem } from '../display/problems/load-problem.tsx';
import { addressesQuery, KEY_TOPICS } from '../keys/key-queries.ts';
import { Snippets } from '../keys/snippets.tsx';
import { useRefresh } from '../display/use-notice.tsx';
import { useMayChangeKeys } from '../session/roles.tsx';
import { FirstReadingArrived } from './first-reading-arrived.tsx';

export interface FirstReadingProps {
  cellar: string;
  hasArrived: boolean;
  close: () => void;
}

/** From an empty cellar to its data: create a key, send a reading with it, see it arrive, open the Data page. */
export function FirstReading({ cellar, hasArrived, close }: FirstReadingProps) {
  const { data: addresses } = useQuery(addressesQuery);
  const [secret, setSecret] = useState<string>();
  return (
    <Paper withBorder p="lg">
      <Stack>
        <div role="status">
          <Title order={2} size="h4">
            {hasArrived ? 'First reading received' : 'No readings received yet'}
          </Title>
        </div>
        {hasArrived && <FirstReadingArrived cellar={cellar} />}
        {secret !== undefined && (
          <Alert
            color="yellow"
            title="You won't see this key again"
            styles={{ title: { color: 'var(--mantine-color-text)' } }}
          >
            Copy the command with it, and store it where your device can read it.
          </Alert>
        )}
        {!hasArrived && secret === undefined && <GetKey cellar={cellar} show={setSecret} />}
        {addresses !== undefined && (!hasArrived || secret !== undefined) && (
          <Snippets
            ingestUrl={addresses.ingestUrl ?? window.location.origin}
            cellar={cellar}
            rack="rack-1"
            apiKey={secret ?? 'YOUR_API_KEY'}
          />
        )}
        {hasArrived ? (
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {secret === undefined ? 'Close' : 'I have stored the key'}
            </Button>
          </Group>
        ) : (
          <Group gap="sm" role="status">
            <Loader size="xs" />
            <Text size="sm" c="dimmed">
              Waiting for the first reading. This page updates when it arrives.
            </Text>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function GetKey({ cellar, show }: { cellar: string; show: (secret: string) => void }) {
  const mayChange = useMayChangeKeys();
  const refresh = useRefresh(...KEY_TOPICS);
  // A retry after a lost response creates no second key.
  const [requestId] = useState(() => crypto.randomUUID());
  const create = useAction(async () => {
    const { secret } = await api.post('/api/v1/cellars/{cellar}/keys', {
      params: { path: { cellar }, header: { 'idempotency-key': requestId } },
      body: { name: 'first key' },
    });
    show(secret);
    refresh();
  });
  const link = (
    <AppLink to="/cellars/$cellar/keys" params={{ cellar }} inherit underline="always">
      API keys
    </AppLink>
  );
  if (!mayChange) return <Text>Send one with one of the {link} of this cellar.</Text>;
  return (
    <>
      <Problem error={create.error} what="create the key" />
      <Group gap="sm">
        <Button loading={create.isPending} onClick={() => void create.run()}>
          Create a key
        </Button>
        <Text>
          or replace YOUR_API_KEY with one of your {link}, or{' '}
          <AppLink to="/cellars/$cellar/follow" params={{ cellar }} inherit underline="always">
            send a test reading
          </AppLink>{' '}
          from here and follow it:
        </Text>
      </Group>
    </>
  );
}
