import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface SectionProps {
  title: string;
  about: string;
  /** Heading level of the title. */
  order?: 2 | 3;
  children: ReactNode;
}

/** A group of settings. */
export function Section({ title, about, order = 2, children }: SectionProps) {
  return (
    <Paper withBorder p="lg" component="section">
      <Stack gap="sm">
        <Title order={order} size="h4">
          {title}
        </Title>
        <Text c="dimmed" size="sm">
          {about}
        </Text>
        {children}
      </Stack>
    </Paper>
  );
}
