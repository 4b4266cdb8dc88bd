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

/** In the dark: text, borders, and three surfaces, the page below its cards below its dialogs. */
const dark: MantineColorsTuple = [
  '#d5d8dc',
  '#b4b9bf',
  '#8d949c',
  '#5b636c',
  '#3a4047',
  '#2f343a',
  '#24282d',
  '#1a1d20',
  '#121416',
  '#0c0e0f',
];

export const theme = createTheme({
  colors: { bottle, red, dark },
  primaryColor: 'bottle',
  primaryShade: 7,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'Inter, "Inter fallback", system-ui, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono", ui-monospace, monospace',
  headings: { fontWeight: '600' },
  components: {
    Badge: Badge.extend({ defaultProps: { variant: 'light', tt: 'none' } }),
    Modal: Modal.extend({ styles: { title: { fontWeight: 600 } } }),
    // A header element outside of a section is a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
  },
});

/** Mantine's own greys for secondary text have too little contrast for WCAG AA. */
export const adaptColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#596069',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#b91c1c',
    '--page': '#f6f7f8',
    '--surface': '#ffffff',
    '--surface-header': '#fbfbfc',
    '--surface-raised': '#ffffff',
    '--field-border': '#868e97',
    '--accent': '#0f766e',
    '--status-ok': '#15803d',
    '--status-warn': '#a16207',
    '--status-bad': '#b91c1c',
    '--status-idle': '#596069',
    '--chart-accepted': '#0d9488',
    '--chart-rejected': '#c2410c',
    ...seriesVariables('light'),
  },
  dark: {
    '--mantine-color-dimmed': '#a9adb3',
    '--mantine-color-placeholder': '#9096a0',
    '--mantine-color-error': '#fca5a5',
    '--page': '#121416',
    '--surface': '#1a1d20',
    '--surface-header': '#1f2226',
    '--surface-raised': '#24282d',
    '--field-border': '#767e88',
    '--accent': '#2dd4bf',
    '--status-ok': '#4ade80',
    '--status-warn': '#facc15',
    '--status-bad': '#fca5a5',
    '--status-idle': '#a9adb3',
    '--chart-accepted': '#2dd4bf',
    '--chart-rejected': '#fb923c',
    ...seriesVariables('dark'),
  },
});

/** The CSP nonce of this page, for style sheets that scripts add. Empty on the development server. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
