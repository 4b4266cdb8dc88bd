import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

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
