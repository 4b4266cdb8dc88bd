import { expect, test } from 'vitest';
import { chooseFormat, isSafeCsv } from '../src/readings/reading-formats.ts';

test.each([
  [undefined, 'json'],
  ['text/csv', 'csv'],
  ['text/html, application/x-ndjson;q=0.9', 'ndjson'],
  ['TEXT/CSV; header=present', 'csv'],
  ['image/png, */*;q=0.1', 'json'],
])('Accept: %s gives %s', (accept, format) => {
  expect(chooseFormat(undefined, accept)).toBe(format);
});

test.each(['constructor', '__proto__', 'toString', 'image/png', ''])(
  'Accept: %s names no format',
  (accept) => {
    expect(() => chooseFormat(undefined, accept)).toThrow('Accept names none of them');
  },
);

test.each([
  ['csv', true, true],
  ['csv', false, false],
  ['csv-safe', false, true],
  ['csv-plain', true, false],
] as const)('%s for a person (%s) escapes formulas: %s', (format, isPerson, isSafe) => {
  expect(isSafeCsv(format, { isPerson })).toBe(isSafe);
});
