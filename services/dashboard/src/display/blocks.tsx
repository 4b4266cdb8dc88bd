import { Paper, Stack, Text, Title, VisuallyHidden, Group } from '@mantine/core';
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

export interface PartProps {
  title: string;
  /** Heading level of the title. */
  order?: 2 | 3;
  /** Beside the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** A part of a page, such as a list with its title. */
export function Part({ title, order = 3, action, children }: PartProps) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={order} size="h4">
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </Stack>
  );
}

/** The heading of a tab. The menu above shows the same word, so that this one is for screen readers only. */
export function PageHeading({ children }: { children: string }) {
  return (
    <VisuallyHidden>
      <Title order={2}>{children}</Title>
    </VisuallyHidden>
  );
}

export interface ToolbarProps {
  /** Filters, on the left. */
  children?: ReactNode;
  /** On the right, or below on a phone. */
  actions?: ReactNode;
}

/** One row above a list: what it shows, and what can be done. */
export function Toolbar({ children, actions }: ToolbarProps) {
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm" flex="1 1 auto">
        {children}
      </Group>
      <Group gap="sm">{actions}</Group>
    </Group>
  );
}

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

/** A name and a value, within a `dl`. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}
