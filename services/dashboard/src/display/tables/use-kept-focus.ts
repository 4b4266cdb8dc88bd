import { useEffect, useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { focusContentIfLost } from '../focus-content.ts';

interface Focused {
  element: HTMLElement;
  row: number;
  cell: number;
}

/** Moves the focus to the next row when the focused one is removed, such as after its key is revoked. */
export function useKeptFocus(): RefObject<HTMLTableSectionElement | null> {
  const body = useRef<HTMLTableSectionElement>(null);
  const focused = useRef<Focused>(undefined);

  // React reports no focus that a dialog returns while it is being removed.
  useEffect(() => {
    const remember = ({ target }: FocusEvent): void => {
      const element = target as HTMLElement;
      const cell = element.closest('td');
      const row = cell?.closest('tr');
      if (cell && row) focused.current = { element, row: row.sectionRowIndex, cell: cell.cellIndex };
    };
    const section = body.current;
    section?.addEventListener('focusin', remember);
    return () => section?.removeEventListener('focusin', remember);
  }, []);

  useLayoutEffect(() => {
    const last = focused.current;
    if (last === undefined || last.element.isConnected || document.activeElement !== document.body) return;
    focused.current = undefined;
    const rows = body.current?.rows;
    const next = rows?.item(Math.min(last.row, rows.length - 1));
    next?.cells.item(last.cell)?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
    focusContentIfLost();
  });

  // The whole list can be replaced, such as by the text that it is empty.
  useLayoutEffect(
    () => () => {
      if (focused.current !== undefined) queueMicrotask(focusContentIfLost);
    },
    [],
  );
  return body;
}
