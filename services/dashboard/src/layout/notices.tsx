import { Alert, Button, Group, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/use-action.ts';
import { describeClock, describeTimeOfDay } from '../display/time/describe-time.ts';
import { ExactTime } from '../display/time/moment.tsx';
import { isStale, useFreshness } from './freshness.ts';

/** Says why the content below does not update. It disappears by itself. */
export function Offline() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Alert color="gray" mb="md" title="This device is offline">
          Showing the data loaded before. It updates when the connection is back.
        </Alert>
      )}
    </div>
  );
}

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

/** When the data of the open page was loaded; the oldest, if it has several parts. */
export function LastUpdated() {
  const { updatedAt } = useFreshness();
  if (!Number.isFinite(updatedAt)) return null;
  const at = new Date(updatedAt);
  return (
    <Text size="xs" c="dimmed" ta="right" mt="xl">
      Updated <ExactTime at={at}>{describeTimeOfDay(at)}</ExactTime>
    </Text>
  );
}
