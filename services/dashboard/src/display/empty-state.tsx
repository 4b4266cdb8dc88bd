import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Explains why a list is empty. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl">
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children !== undefined && <Text c="dimmed">{children}</Text>}
        {action}
      </Stack>
    </Paper>
  );
}
