import { Button, Group } from '@mantine/core';

export interface PagesProps {
  isFirst: boolean;
  nextCursor: string | null;
  /** Undefined: the first page. */
  go: (cursor: string | undefined) => void;
}

/** The way through a long list. The browser's own way back leads to the page before. */
export function Pages({ isFirst, nextCursor, go }: PagesProps) {
  if (isFirst && nextCursor === null) return null;
  return (
    <Group component="nav" aria-label="Pages of the list" justify="flex-end">
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
