import { Title } from '@mantine/core';
import { usePageTitle } from '../display/use-page-title.ts';

export function AuditPage() {
  usePageTitle('Audit');
  return (
    <Title order={2} size="h3">
      Audit
    </Title>
  );
}
