import { expect, test } from 'vitest';
import { isCellarName, suggestName } from '../src/cellars/suggest-name.ts';

test.each([
  ['Harbour Brewery', 'harbour-brewery'],
  ['  Käserei / Süd ', 'kaserei-sud'],
  ['_press.7', 'press.7'],
  ['🍷', ''],
])('for %s, the name %s is suggested', (typed, suggestion) => {
  expect(isCellarName(typed)).toBe(false);
  expect(suggestName(typed)).toBe(suggestion);
  if (suggestion !== '') expect(isCellarName(suggestion)).toBe(true);
});
