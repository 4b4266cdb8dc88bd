import { useLayoutEffect, useState } from 'react';
import { focusContentIfLost } from '../focus-content.ts';

/**
 * Returns the focus to where it was when the dialog opened. Mantine does that for dialogs that stay mounted, and ours
 * do not. If that element is gone, such as the button of a removed row, the content of the page gets the focus.
 */
export function useReturnedFocus(): void {
  // Before the commit, which may remove the menu that the dialog was opened from.
  const [found] = useState(() => openerOf(document.activeElement));
  useLayoutEffect(() => {
    // A dialog that takes the place of another one has its opener, which has just got the focus back.
    const opener = found?.isConnected === true ? found : openerOf(document.activeElement);
    return () => {
      opener?.focus({ preventScroll: true });
      queueMicrotask(focusContentIfLost);
    };
  }, [found]);
}

/** An item of a menu is removed with its menu, whose button stays. */
function openerOf(active: Element | null): HTMLElement | null {
  const labelledBy = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = typeof labelledBy === 'string' ? document.getElementById(labelledBy) : active;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}
