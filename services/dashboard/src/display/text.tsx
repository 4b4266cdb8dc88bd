import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A name within a line. */
export function Strong({ children }: { children: ReactNode }) {
  return (
    <Text span inherit fw={600}>
      {children}
    </Text>
  );
}

/** A line below a name or a value. */
export function SmallPrint({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed">
      {children}
    </Text>
  );
}

/** What is wrong with a value. */
export function Trouble({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" c="var(--mantine-color-error)">
      {children}
    </Text>
  );
}
