import { expect, test } from 'vitest';
import { csvLine, jsonCell } from '../src/audit/csv.ts';

test('everything is quoted, and nothing is missing', () => {
  expect(csvLine(['a', null, 'b, "c"', 'two\nlines'])).toBe('"a","","b, ""c""","two\nlines"\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1+1', '\r=1+1', '\n=1+1', '＝1+1'])(
  '%j is a text to a spreadsheet, no formula',
  (cell) => {
    expect(csvLine([cell])).toBe(`"'${cell}"\r\n`);
  },
);

test('what only has such a character inside stays as it is', () => {
  expect(csvLine(['a=1', '2026-11-21', 'mara@example.com'])).toBe(
    '"a=1","2026-11-21","mara@example.com"\r\n',
  );
});

test('a formula behind a semicolon is a text too, where that separates cells', () => {
  expect(csvLine(['press;=1+1;-2', 'a; b'])).toBe(`"press;'=1+1;'-2","a; b"\r\n`);
});

test('details are JSON without a semicolon, of the same value', () => {
  const details = { name: 'press;=HYPERLINK("https://example.com")', count: 1 };
  const cell = jsonCell(details);
  expect(cell).not.toContain(';');
  expect(JSON.parse(cell)).toEqual(details);
});
