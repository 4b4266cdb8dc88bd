import { Paper, Skeleton, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { describeShortly, plural } from '../display/describe-number.ts';

export interface TileProps {
  label: string;
  /** Undefined: loading. */
  children: ReactNode;
}

/** A labelled figure. */
export function Tile({ label, children }: TileProps) {
  return (
    <Paper withBorder p="md" role="group" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={600} component="div" mt={4} h={32}>
        {children === undefined ? <Skeleton height={24} width="50%" /> : children}
      </Text>
    </Paper>
  );
}

/** At most three figures, the exact number on hover. */
export function Count({ of: count, what, many }: { of: number; what: string; many?: string }) {
  return (
    <Tooltip label={plural(count, what, many)} events={{ hover: true, focus: true, touch: true }} withArrow>
      <span>{describeShortly(count)}</span>
    </Tooltip>
  );
}
