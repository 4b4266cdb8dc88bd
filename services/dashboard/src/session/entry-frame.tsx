import { Container, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** The frame of the pages for signed-out users. */
export function EntryFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Container component="main" size={420} py={{ base: 32, sm: 96 }}>
      <Title order={1} size="h2" mb="lg">
        {title}
      </Title>
      <Paper withBorder p="lg">
        {children}
      </Paper>
    </Container>
  );
}
