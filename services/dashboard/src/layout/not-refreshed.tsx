import { Alert, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/use-action.ts';
import { describeClock } from '../display/time/describe-time.ts';
import { ExactTime } from '../display/time/moment.tsx';
import { isStale, useFreshness } from './freshness.ts';

/**
 * Warns that data of the open page could not be refreshed: without it, an outage would look like silent racks. It is a
 * live region, and it disappears by itself.
 */
export function NotRefreshed() {
  const queryClient = useQueryClient();
  const { staleSince } = useFreshness();
  const retry = useAction(() => queryClient.refetchQueries({ type: 'active', predicate: isStale }));
  return (
    <div role="status">
      {Number.isFinite(staleSince) && (
        <Alert color="gray" mb="md" py="xs">
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              Not refreshed since{' '}
              <ExactTime at={new Date(staleSince)}>
                {describeClock(new Date(staleSince), new Date())}
              </ExactTime>
              . Newer data is not shown.
            </Text>
            <Button size="xs" variant="default" loading={retry.isPending} onClick={() => void retry.run()}>
              Retry
            </Button>
          </Group>
        </Alert>
      )}
    </div>
  );
}
