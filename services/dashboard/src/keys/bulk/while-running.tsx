import { Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';

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

/** Lets the browser warn before the page is closed or reloaded, such as while it has secrets that exist nowhere else. */
export function useLeaveWarning(isActive: boolean): void {
  useWindowEvent('beforeunload', (event) => {
    if (isActive) event.preventDefault();
  });
}
