import { Alert, Button, Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { isSignedOut } from '../api/api-error.ts';
import { useAction } from '../api/use-action.ts';
import { describeClock } from './describe-time.ts';
import { ExactTime } from './moment.tsx';

export interface NotRefreshedProps {
  /** What stands below. Those without an answer so far say so themselves. */
  queries: readonly Pick<UseQueryResult, 'data' | 'error' | 'dataUpdatedAt' | 'refetch'>[];
}

/**
 * Stands above what was read before and cannot be read anew: without it, an outage would look like racks that have gone
 * silent. Screen readers hear it, and it goes away by itself.
 */
export function NotRefreshed({ queries }: NotRefreshedProps) {
  // Who is signed out is led to the sign-in.
  const old = queries.filter(
    ({ data, error }) => data !== undefined && error !== null && !isSignedOut(error),
  );
  const since = new Date(Math.min(...old.map(({ dataUpdatedAt }) => dataUpdatedAt)));
  const retry = useAction(async () => {
    await Promise.all(old.map(({ refetch }) => refetch()));
  });
  return (
    <div role="status">
      {old.length > 0 && (
        <Alert color="gray" mb="md" py="xs">
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              Not refreshed since <ExactTime at={since}>{describeClock(since, new Date())}</ExactTime>.
              Readings are still being stored.
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
