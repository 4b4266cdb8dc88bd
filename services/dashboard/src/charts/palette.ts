import type { SeriesColour } from './series-colours.ts';

/** The colours and the font of the page, as a canvas needs them. */
export interface Palette {
  text: string;
  grid: string;
  page: string;
  bad: string;
  font: string;
  colour: (name: SeriesColour) => string;
}

export function readPalette(): Palette {
  const root = getComputedStyle(document.documentElement);
  const variable = (name: string) => root.getPropertyValue(name).trim();
  return {
    text: variable('--mantine-color-dimmed'),
    grid: variable('--mantine-color-default-border'),
    page: variable('--mantine-color-body'),
    bad: variable('--mantine-color-error'),
    font: `12px ${getComputedStyle(document.body).fontFamily}`,
    colour: variable,
  };
}

/** @param alpha from 0 to 1 */
export function translucent(colour: string, alpha: number): string {
  return `color-mix(in srgb, ${colour} ${Math.round(alpha * 100)}%, transparent)`;
}
