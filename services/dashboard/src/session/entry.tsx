import { Container, Paper, Title, Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { onSubmit, useAction } from '../api/use-action.ts';
import { Problem } from '../display/problems/load-problem.tsx';

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

export interface EntryFormProps {
  /** Above the fields. */
  intro?: ReactNode;
  submit: string;
  /** As in "sign you in", for the error message. */
  what: string;
  /** Opens a session and opens the next page. */
  work: () => Promise<void>;
  children: ReactNode;
}

/** The form of a page for signed-out users. */
export function EntryForm({ intro, submit, what, work, children }: EntryFormProps) {
  const action = useAction(work);
  return (
    <form onSubmit={onSubmit(action.run)}>
      <Stack>
        {intro}
        <Problem error={action.error} what={what} />
        {children}
        <Button type="submit" loading={action.isPending}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
