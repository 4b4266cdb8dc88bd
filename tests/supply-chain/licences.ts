/** Licenses that allow distribution: they require that their text is included, and nothing of our own code. */
const SHIPPED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Zlib',
];

/** What only builds and tests may also be under these: nothing of it is handed out. */
const DEVELOPMENT = [...SHIPPED, 'CC-BY-4.0', 'MPL-2.0', 'PSF-2.0', 'Python-2.0', 'Unlicense'];

export type Use = 'shipped' | 'development';

/**
 * Whether a package may be used.
 *
 * @param expression of SPDX, such as `(MIT OR CC0-1.0)`
 */
export function isAllowed(expression: string, use: Use): boolean {
  const allowed = use === 'shipped' ? SHIPPED : DEVELOPMENT;
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.includes(licence.trim())));
}
