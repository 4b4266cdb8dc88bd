import { Alert, Button, Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { isSignedOut } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { describeClock } from '../time/describe-time.ts';
import { ExactTime } from '../time/moment.tsx';

export interface NotRefreshedProps {
  /** The queries of the content below. Those that never succeeded show their own error. */
  queries: readonly Pick<UseQueryResult, 'data' | 'error' | 'dataUpdatedAt' | 'refetch'>[];
}

/**
 * Warns that the content below cannot be refreshed: without it, an outage would look like silent racks. It is a live
 * region, and it disappears by itself.
 */
export function NotRefreshed({ queries }: NotRefreshedProps) {
  // After the end of a session, the sign-in page opens.
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
              Ingestion is independent of the dashboard.
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
