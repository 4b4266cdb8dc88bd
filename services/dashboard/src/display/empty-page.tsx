import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

export interface EmptyPageProps {
  isFirst: boolean;
  toFirst: () => void;
  /** Why the whole list is empty, when this is its first page. */
  children: ReactNode;
}

/** A page of a list without rows. On a later one they have gone since its address was made; there may be others. */
export function EmptyPage({ isFirst, toFirst, children }: EmptyPageProps) {
  if (isFirst) return children;
  return (
    <EmptyState
      title="Nothing is left on this page"
      action={
        <Button variant="default" size="xs" onClick={toFirst}>
          First page
        </Button>
      }
    />
  );
}
