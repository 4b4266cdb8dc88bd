import { Title } from '@mantine/core';
import { usePageTitle } from '../display/use-page-title.ts';

export function RacksPage() {
  usePageTitle('Racks');
  return (
    <Title order={2} size="h3">
      Racks
    </Title>
  );
}
