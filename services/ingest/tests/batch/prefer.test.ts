import { expect, test } from 'vitest';
import { parsePrefer } from '../../src/http/prefer.ts';

test.each([
  [undefined, []],
  ['', []],
  ['handling=lenient', ['handling=lenient']],
  ['HANDLING = "Lenient" ; x="y, z" , return=representation', ['handling=lenient', 'return=representation']],
  ['handling=strict, handling=lenient', []],
  ['handling, return', []],
  ['handling=lenient;return=representation', ['handling=lenient']],
  ['wait=10, x="\\", handling=lenient", return=representation', ['return=representation']],
  ['x="handling=lenient, return=representation', []],
  [',, ,return=representation,', ['return=representation']],
])('Prefer: %s', (header, expected) => {
  expect([...parsePrefer(header)]).toEqual(expected);
});
