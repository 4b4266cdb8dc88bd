import { Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { AppLink } from '../display/app-link.tsx';
import { addressesQuery } from '../keys/addresses-query.ts';
import { Snippets } from '../keys/snippets.tsx';

/** Explains how to send the first reading. The page polls, and becomes the overview when it arrives. */
export function FirstReading({ cellar }: { cellar: string }) {
  const { data: addresses } = useQuery(addressesQuery);
  return (
    <Paper withBorder p="lg">
      <Stack>
        <Title order={2} size="h4">
          No readings received yet
        </Title>
        <Text>
          <AppLink to="/cellars/$cellar/keys" params={{ cellar }} inherit underline="always">
            Create an API key
          </AppLink>{' '}
          and replace YOUR_API_KEY with it, or{' '}
          <AppLink to="/cellars/$cellar/follow" params={{ cellar }} inherit underline="always">
            send a test reading
          </AppLink>{' '}
          from here and follow it:
        </Text>
        {addresses !== undefined && (
          <Snippets
            ingestUrl={addresses.ingestUrl ?? window.location.origin}
            cellar={cellar}
            rack="rack-1"
            apiKey="YOUR_API_KEY"
          />
        )}
        <Group gap="sm" role="status">
          <Loader size="xs" />
          <Text size="sm" c="dimmed">
            Waiting for the first reading. This page updates when it arrives.
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
}
