import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './row-actions.module.css';

/** The actions of a row: one visible, the others in a menu. */
export function RowActions({ children }: { children: ReactNode }) {
  return (
    <Group gap="xs" className={classes.actions} wrap="nowrap">
      {children}
    </Group>
  );
}
