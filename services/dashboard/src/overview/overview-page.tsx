import { Title } from '@mantine/core';
import { usePageTitle } from '../display/use-page-title.ts';

export function OverviewPage() {
  usePageTitle('Overview');
  return (
    <Title order={2} size="h3">
      Overview
    </Title>
  );
}
