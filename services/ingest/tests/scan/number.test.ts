import { expect, test } from 'vitest';
import { accept, bodyOf, rawValue, reject } from './readings.ts';

const HALF_OF_THE_SMALLEST = '2.4703282292062327e-324';
const LONG_ZERO = `0.${'0'.repeat(2_000)}`;

test.each([
  '0',
  '-0',
  '-0.0',
  '0e5',
  '0e-999',
  '7',
  '-21.5',
  '1e5',
  '1E+5',
  '1e-5',
  '9007199254740991',
  '9007199254740992',
  '-9007199254740992',
  '9007199254740994',
  '18446744073709551616', // 2^64
  '10000000000000000000000', // 10^22, the last power of ten that is exact
  '9007199254740993.0', // not an integer literal: the nearest double is meant
  '9007199254740993e0',
  '1e30',
  '0.1',
  '1.7976931348623157e308',
  '1.7976931348623158e308', // rounds to the largest
  '5e-324',
  '3e-324', // rounds to the smallest
  '2.4703282292062328e-324',
  LONG_ZERO,
  `0.${'0'.repeat(300)}1`,
  `1${'0'.repeat(2_000)}e-2000`,
])('%s is a value, and is handed on as it is written', (literal) => {
  const body = bodyOf({ value: literal });
  expect(rawValue(body, accept(body), 'value')).toBe(literal);
});

test.each([
  ['9007199254740993', 'cannot hold exactly'],
  ['-9007199254740993', 'cannot hold exactly'],
  ['9223372036854775807', 'cannot hold exactly'], // the largest of 64 bits
  ['100000000000000000000001', 'cannot hold exactly'],
  ['100000000000000000000000', 'cannot hold exactly'], // 10^23
  ['1e309', 'too large'],
  ['-1e400', 'too large'],
  ['1.7976931348623159e308', 'too large'],
  ['9'.repeat(400), 'too large'],
  [`${'9'.repeat(400)}.5`, 'too large'],
  ['1e999999999999', 'too large'],
  ['1e-400', 'become zero'],
  ['-1e-400', 'become zero'],
  [HALF_OF_THE_SMALLEST, 'become zero'],
  [`${LONG_ZERO}1`, 'become zero'],
  ['0.1e-99999999', 'become zero'],
])('%s is rejected: %s', (literal, reason) => {
  const { code, error } = reject(bodyOf({ value: literal }));
  expect(code).toBe('invalid_reading');
  expect(error).toMatch(/^"value" is /);
  expect(error).toContain(reason);
});

test.each([
  '01',
  '-01',
  '00',
  '+1',
  '.5',
  '5.',
  '1e',
  '1e+',
  '-',
  '--1',
  '0x10',
  '1_000',
  '1,5',
  '1.2.3',
  '1e1.5',
])('%s is not JSON', (literal) => {
  expect(reject(bodyOf({ value: literal })).code).toBe('invalid_json');
});
