import { Button, Group } from '@mantine/core';

export interface PagesProps {
  isFirst: boolean;
  nextCursor: string | null;
  /** Undefined: the first page. */
  go: (cursor: string | undefined) => void;
}

/** Pagination. The Back button of the browser leads to the previous page. */
export function Pages({ isFirst, nextCursor, go }: PagesProps) {
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
