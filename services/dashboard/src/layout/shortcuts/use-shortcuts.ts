import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { TABS } from '../tabs.ts';

export interface ShortcutsOptions {
  /** Undefined: the page belongs to no cellar. */
  cellar: string | undefined;
  open: (what: 'palette' | 'shortcuts') => void;
}

/** The second key of `g o` counts within this time. */
const SEQUENCE_MS = 1_500;

/** The keyboard shortcuts of every page; shortcuts-dialog.tsx lists them. They do nothing while one types. */
export function useShortcuts({ cellar, open }: ShortcutsOptions): void {
  const navigate = useNavigate();
  const goAt = useRef(-Infinity);
  const go = (act: () => unknown) => (): void => {
    if (performance.now() - goAt.current < SEQUENCE_MS) act();
    goAt.current = -Infinity;
  };
  useHotkeys([['mod+K', () => open('palette')]], []);
  useHotkeys([
    ['shift+?', () => open('shortcuts')],
    ['?', () => open('shortcuts')],
    ['j', () => moveRow(1)],
    ['k', () => (performance.now() - goAt.current < SEQUENCE_MS ? undefined : moveRow(-1))],
    ['g', () => (goAt.current = performance.now())],
    ['h', go(() => navigate({ to: '/' }))],
    ...TABS.map(({ to, key }): [string, () => void] => [
      key,
      go(() => cellar !== undefined && navigate({ to, params: { cellar } })),
    ]),
  ]);
}

/** Focuses the first link or button of the next or previous row, of the focused table or the first one. Enter opens it. */
function moveRow(by: 1 | -1): void {
  const current = document.activeElement?.closest('tr');
  const table = current?.closest('table') ?? document.querySelector('main table');
  const rows = [...(table?.querySelectorAll('tbody tr') ?? [])];
  const index = rows.findIndex((row) => row === current);
  const next = index === -1 ? rows.at(by === 1 ? 0 : -1) : rows[index + by];
  next?.querySelector<HTMLElement>('a, button')?.focus();
}
