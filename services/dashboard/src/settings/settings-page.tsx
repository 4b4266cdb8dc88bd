import { Title } from '@mantine/core';
import { usePageTitle } from '../display/use-page-title.ts';

export function SettingsPage() {
  usePageTitle('Settings');
  return (
    <Title order={2} size="h3">
      Settings
    </Title>
  );
}
