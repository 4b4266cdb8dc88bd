import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Part } from '../../display/blocks.tsx';
import { LoadProblem } from '../../display/problems/load-problem.tsx';
import { openAlertsQuery } from '../alerts-queries.ts';
import { AlertsTable } from './alerts-table.tsx';

/** What fires now, or is about to. */
export function OpenAlerts({ cellar }: { cellar: string }) {
  const { data, error, refetch } = useQuery(openAlertsQuery(cellar));
  return (
    <Part title="Now">
      {error !== null && data === undefined ? (
        <LoadProblem what="the alerts" error={error} retry={() => void refetch()} />
      ) : data?.alerts.length === 0 ? (
        <Text c="dimmed">No alerts are pending or firing.</Text>
      ) : (
        <>
          <AlertsTable cellar={cellar} label="Open alerts" alerts={data?.alerts} />
          {typeof data?.nextCursor === 'string' && (
            <Text size="sm" c="dimmed">
              Showing the first {data.alerts.length} alerts.
            </Text>
          )}
        </>
      )}
    </Part>
  );
}
