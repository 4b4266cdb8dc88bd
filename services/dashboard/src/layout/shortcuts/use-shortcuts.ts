import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { TABS } from '../tabs.ts';
import { moveRow } from './move-row.ts';

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
