import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from '../blocks.tsx';
import { LoadProblem } from '../problems/load-problem.tsx';

export interface PagedListProps {
  /** As in "the API keys", for the error message. */
  what: string;
  query: {
    data: { nextCursor: string | null } | undefined;
    error: Error | null;
    refetch: () => Promise<unknown>;
  };
  /** Undefined: loading. */
  rows: readonly unknown[] | undefined;
  /** Why the whole list is empty. Undefined: it never is. */
  empty?: ReactNode;
  /** From the URL. Undefined: the first page. */
  cursor: string | undefined;
  go: (cursor: string | undefined) => void;
  /** The table. */
  children: ReactNode;
}

/** A page of a list and its pagination, or why there is none. */
export function PagedList({ what, query, rows, empty, cursor, go, children }: PagedListProps) {
  const { data, error, refetch } = query;
  if (error !== null && data === undefined)
    return <LoadProblem what={what} error={error} retry={() => void refetch()} />;
  const isFirst = cursor === undefined;
  const nextCursor = data?.nextCursor ?? null;
  // A filter of a very long list has not reached its end.
  if (rows?.length === 0 && nextCursor !== null) {
    const more = (
      <Button variant="default" size="xs" onClick={() => go(nextCursor)}>
        Search further
      </Button>
    );
    return <EmptyState title="No match so far" action={more} />;
  }
  if (rows?.length === 0 && isFirst && empty !== undefined) return empty;
  // The rows of a later page may have gone; earlier pages can have some.
  if (rows?.length === 0 && !isFirst) {
    const first = (
      <Button variant="default" size="xs" onClick={() => go(undefined)}>
        First page
      </Button>
    );
    return <EmptyState title="This page is empty now" action={first} />;
  }
  return (
    <>
      {children}
      <Pages isFirst={isFirst} nextCursor={nextCursor} go={go} />
    </>
  );
}

interface PagesProps {
  isFirst: boolean;
  nextCursor: string | null;
  /** Undefined: the first page. */
  go: (cursor: string | undefined) => void;
}

/** Pagination. The Back button of the browser leads to the previous page. */
function Pages({ isFirst, nextCursor, go }: PagesProps) {
  if (isFirst && nextCursor === null) return null;
  return (
    <Group component="nav" aria-label="Pagination" justify="flex-end">
      <Button variant="default" size="xs" disabled={isFirst} onClick={() => go(undefined)}>
        First page
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={nextCursor === null}
        onClick={() => go(nextCursor ?? undefined)}
      >
        Next page
      </Button>
    </Group>
  );
}
