import { Text } from '@mantine/core';

/** How much of an action on several keys is done. It is announced. */
export function Progress({ done, total }: { done: number | undefined; total: number }) {
  return (
    <div role="status">
      {done !== undefined && (
        <Text size="sm">
          {done} of {total}
        </Text>
      )}
    </div>
  );
}
