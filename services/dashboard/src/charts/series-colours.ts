/**
 * The colours of series, most distinct first. With any colour vision deficiency they stay apart, and they have a contrast
 * of 3 to the page; a test checks both.
 */
export const SERIES_COLOURS = {
  light: ['#0d9488', '#364b9e', '#b58503', '#a380f3', '#b9493a', '#8339de', '#821c6d', '#fb49ad'],
  dark: ['#2dd4bf', '#9342de', '#ca2e66', '#e4b62f', '#affc97', '#a1a3f4', '#228daa', '#ec6a23'],
} as const;

export const MOST_SERIES = SERIES_COLOURS.light.length;

/** The name of a CSS variable. */
export type SeriesColour = `--series-${number}` | '--chart-accepted' | '--chart-rejected';

/** @param index of the series in its chart */
export function seriesColour(index: number): SeriesColour {
  return `--series-${(index % MOST_SERIES) + 1}`;
}

/** The variables of a colour scheme, for the theme. */
export function seriesVariables(scheme: keyof typeof SERIES_COLOURS): Record<string, string> {
  return Object.fromEntries(
    SERIES_COLOURS[scheme].map((colour, index) => [seriesColour(index), colour] as const),
  );
}
