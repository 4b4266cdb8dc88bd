import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadProblem } from '../../display/problems/load-problem.tsx';
import { Pages } from '../../display/tables/pages.tsx';
import { alertHistoryQuery } from '../alerts-queries.ts';
import { AlertsTable } from './alerts-table.tsx';

export interface HistorySectionProps {
  cellar: string;
  search: { cursor?: string };
  go: (cursor: string | undefined) => void;
}

export function HistorySection({ cellar, search, go }: HistorySectionProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(alertHistoryQuery(cellar, search));
  return (
    <Stack gap="sm" component="section" aria-label="History">
      <Title order={3} size="h4">
        History
      </Title>
      {error !== null && data === undefined ? (
        <LoadProblem what="the history" error={error} retry={() => void refetch()} />
      ) : data?.alerts.length === 0 && search.cursor === undefined ? (
        <Text c="dimmed">No alert has fired in the last 90 days.</Text>
      ) : (
        <>
          <AlertsTable
            cellar={cellar}
            label="History"
            alerts={data?.alerts}
            isStale={isPlaceholderData}
            isHistory
          />
          <Pages isFirst={search.cursor === undefined} nextCursor={data?.nextCursor ?? null} go={go} />
        </>
      )}
    </Stack>
  );
}
