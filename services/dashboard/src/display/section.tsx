import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Cellar } from '../api/resources.ts';

export interface SectionProps {
  cellar: Cellar;
  /** Says what was done, and reads it all again. */
  finish: (done: string) => void;
}

export function Section({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" component="section">
      <Stack gap="sm">
        <Title order={3} size="h4">
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
