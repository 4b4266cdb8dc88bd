import { Stack, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Notice } from '../display/notice.tsx';
import { present } from '../display/read-search.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { useOwner } from '../session/use-owner.ts';
import { DestinationsSection } from './destinations/destinations-section.tsx';
import { RulesSection } from './rules/rules-section.tsx';
import { HistorySection } from './states/history-section.tsx';
import { OpenAlerts } from './states/open-alerts.tsx';

const route = getRouteApi('/signed-in/cellars/$cellar/alerts');

/** What fires, the rules, where notifications are sent, and the history. */
export function AlertsPage() {
  const { cellar } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  usePageTitle('Alerts', cellar);
  const isOwner = useOwner();
  const queryClient = useQueryClient();
  const [notice, setNotice] = useState<string>();

  const finish = (done: string): void => {
    setNotice(done);
    for (const changed of ['alerts', 'audit']) void queryClient.invalidateQueries({ queryKey: [changed] });
  };
  const section = { cellar, isOwner, finish };

  return (
    <Stack gap="xl">
      <div>
        <Title order={2} size="h3">
          Alerts
        </Title>
        <Notice close={() => setNotice(undefined)}>{notice}</Notice>
      </div>
      <OpenAlerts cellar={cellar} />
      <RulesSection {...section} />
      <DestinationsSection {...section} />
      <HistorySection
        cellar={cellar}
        search={search}
        go={(cursor) => void navigate({ search: present({ cursor }) })}
      />
    </Stack>
  );
}
