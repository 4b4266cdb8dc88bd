import { useWindowEvent } from '@mantine/hooks';

/** Lets the browser warn before the page is closed or reloaded, such as while it has secrets that exist nowhere else. */
export function useLeaveWarning(isActive: boolean): void {
  useWindowEvent('beforeunload', (event) => {
    if (isActive) event.preventDefault();
  });
}
