import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from '../empty-state.tsx';

export interface EmptyPageProps {
  isFirst: boolean;
  toFirst: () => void;
  /** Why the whole list is empty, when this is its first page. */
  children: ReactNode;
}

/** A page of a list without rows. The rows of a later page may have gone; earlier pages can have some. */
export function EmptyPage({ isFirst, toFirst, children }: EmptyPageProps) {
  if (isFirst) return children;
  return (
    <EmptyState
      title="This page is empty now"
      action={
        <Button variant="default" size="xs" onClick={toFirst}>
          First page
        </Button>
      }
    />
  );
}
