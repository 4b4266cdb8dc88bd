import { describe, expect, it } from 'vitest';
import { SERIES_COLOURS } from '../src/charts/series-colours.ts';

type Rgb = [number, number, number];

/** Machado, Oliveira and Fernandes 2009, severity 1.0, for linear RGB. */
const VISION: Record<string, Rgb[]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const PAGES = { light: '#ffffff', dark: '#242424' };
/** In OKLab, where 0.02 is just noticeable. */
const LEAST_DISTANCE = 0.09;

function linear(hex: string): Rgb {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [r, g, b];
}

function seenAs(colour: Rgb, vision: Rgb[]): Rgb {
  const [r = 0, g = 0, b = 0] = vision.map((row) =>
    Math.min(1, Math.max(0, row[0] * colour[0] + row[1] * colour[1] + row[2] * colour[2])),
  );
  return [r, g, b];
}

function oklab([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function luminance([r, g, b]: Rgb): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

describe.each(['light', 'dark'] as const)('the colours of series, %s', (scheme) => {
  const colours = SERIES_COLOURS[scheme].map(linear);

  it.each(Object.entries(VISION))('stay apart: %s', (_name, vision) => {
    const seen = colours.map((colour) => oklab(seenAs(colour, vision)));
    for (const [index, one] of seen.entries()) {
      for (const [other, another] of seen.slice(0, index).entries()) {
        const distance = Math.hypot(one[0] - another[0], one[1] - another[1], one[2] - another[2]);
        expect(distance, `${other + 1} and ${index + 1}`).toBeGreaterThan(LEAST_DISTANCE);
      }
    }
  });

  it('have a contrast of 3 to the page', () => {
    const page = luminance(linear(PAGES[scheme]));
    for (const colour of colours.map(luminance)) {
      const [bright, dim] = [Math.max(page, colour), Math.min(page, colour)];
      expect((bright + 0.05) / (dim + 0.05)).toBeGreaterThanOrEqual(3);
    }
  });
});
