import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { allPackages, shippedPackages } from './installed-packages.ts';
import { isAllowed } from './licences.ts';
import type { Package } from './installed-packages.ts';
import { LICENCES_PAGE, licencesPage } from './licences-page.ts';

let all: Package[];
let shipped: Package[];
beforeAll(async () => {
  [all, shipped] = await Promise.all([allPackages(), shippedPackages()]);
});

test.each([
  ['MIT', true, true],
  ['(MIT OR GPL-2.0-only)', true, true],
  ['MIT AND Zlib', true, true],
  ['MIT AND GPL-2.0-only', false, false],
  ['MPL-2.0', false, true],
  ['AGPL-3.0-only', false, false],
  ['SEE LICENSE IN LICENSE.txt', false, false],
  ['Unknown', false, false],
])('%s may be shipped: %s; may build and test: %s', (expression, shipped, development) => {
  expect([isAllowed(expression, 'shipped'), isAllowed(expression, 'development')]).toEqual([
    shipped,
    development,
  ]);
});

test('every package has a licence that is allowed', () => {
  expect(all.length).toBeGreaterThan(300);
  expect(all.filter(({ licence }) => !isAllowed(licence, 'development'))).toEqual([]);
});

test('what is shipped is listed in docs/licences.md; else run: npx -y pnpm@12 generate', async () => {
  expect(shipped.length).toBeGreaterThan(50);
  expect(shipped.filter(({ licence }) => !isAllowed(licence, 'shipped'))).toEqual([]);
  expect(await readFile(LICENCES_PAGE, 'utf8')).toBe(await licencesPage(shipped));
});
