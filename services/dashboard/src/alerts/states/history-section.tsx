import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Part } from '../../display/blocks.tsx';
import { PagedList } from '../../display/tables/paged-list.tsx';
import { alertHistoryQuery } from '../alerts-queries.ts';
import { AlertsTable } from './alerts-table.tsx';

export interface HistorySectionProps {
  cellar: string;
  search: { cursor?: string };
  go: (cursor: string | undefined) => void;
}

export function HistorySection({ cellar, search, go }: HistorySectionProps) {
  const query = useQuery(alertHistoryQuery(cellar, search));
  return (
    <Part title="History">
      <PagedList
        what="the history"
        query={query}
        rows={query.data?.alerts}
        cursor={search.cursor}
        go={go}
        empty={<Text c="dimmed">No alert has fired in the last 90 days.</Text>}
      >
        <AlertsTable
          cellar={cellar}
          label="History"
          alerts={query.data?.alerts}
          isStale={query.isPlaceholderData}
          isHistory
        />
      </PagedList>
    </Part>
  );
}
