import { Stack, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useNotice } from '../display/use-notice.tsx';
import { present } from '../display/read-search.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { useOwner } from '../session/roles.tsx';
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
  const { notice, finish } = useNotice('alerts', 'audit');
  const section = { cellar, isOwner, finish };

  return (
    <Stack gap="xl">
      <div>
        <Title order={2} size="h3">
          Alerts
        </Title>
        {notice}
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
