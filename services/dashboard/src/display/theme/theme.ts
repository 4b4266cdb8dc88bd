import { Badge, createTheme, Modal } from '@mantine/core';
import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core';
import { seriesVariables } from '../../charts/series-colours.ts';

/** The accent colour, bottle green. White text on shade 7 has a contrast of 5.5. */
const bottle: MantineColorsTuple = [
  '#f0fdfa',
  '#ccfbf1',
  '#99f6e4',
  '#5eead4',
  '#2dd4bf',
  '#14b8a6',
  '#0d9488',
  '#0f766e',
  '#115e59',
  '#134e4a',
];

/** For errors and destructive actions. */
const red: MantineColorsTuple = [
  '#fef2f2',
  '#fee2e2',
  '#fecaca',
  '#fca5a5',
  '#f87171',
  '#ef4444',
  '#dc2626',
  '#b91c1c',
  '#991b1b',
  '#7f1d1d',
];

export const theme = createTheme({
  colors: { bottle, red },
  primaryColor: 'bottle',
  primaryShade: 7,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  headings: { fontWeight: '600' },
  components: {
    Badge: Badge.extend({ defaultProps: { variant: 'light', tt: 'none' } }),
    Modal: Modal.extend({ styles: { title: { fontWeight: 600 } } }),
  },
});

/** Mantine's own greys for secondary text have too little contrast for WCAG AA. */
export const adaptColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#596069',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#b91c1c',
    '--chart-accepted': '#0d9488',
    '--chart-rejected': '#c2410c',
    '--status-ok': '#0d9488',
    '--status-warn': '#b45309',
    '--status-bad': '#dc2626',
    '--status-idle': '#6b7280',
    ...seriesVariables('light'),
  },
  dark: {
    '--mantine-color-dimmed': '#a9adb3',
    '--mantine-color-placeholder': '#9096a0',
    '--mantine-color-error': '#fca5a5',
    '--chart-accepted': '#2dd4bf',
    '--chart-rejected': '#fb923c',
    '--status-ok': '#2dd4bf',
    '--status-warn': '#fbbf24',
    '--status-bad': '#f87171',
    '--status-idle': '#9096a0',
    ...seriesVariables('dark'),
  },
});
