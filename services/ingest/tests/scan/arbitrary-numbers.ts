import fc from 'fast-check';

const digits = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: 1, maxLength });
const sign = fc.constantFrom('', '', '-');

/** By the grammar of JSON, and a little beyond it. */
const byGrammar = fc
  .tuple(
    sign,
    fc.oneof(digits(1), digits(4), digits(25)),
    fc.oneof(
      fc.constant(''),
      digits(20).map((fraction) => `.${fraction}`),
    ),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('e', 'E', 'e+', 'E-', 'e-'), digits(3))
          .map((parts) => parts.join('')),
      },
    ),
  )
  .map((parts) => parts.join(''));

/** Integers next to powers of two, where doubles begin to have gaps. */
const nearPowers = fc
  .tuple(
    sign,
    fc.constantFrom(49n, 50n, 52n, 53n, 54n, 60n, 63n, 64n, 100n, 1023n, 1024n),
    fc.bigInt(-3n, 3n),
  )
  .map(([minus, power, offset]) => `${minus}${(2n ** power + offset).toString()}`);

/** Sixteen digits and more: about half of them are doubles. */
const longIntegers = fc.bigInt(0n, 10n ** 24n).map(String);

const edges = fc
  .tuple(
    sign,
    fc.constantFrom(
      '1.7976931348623157e308',
      '1.7976931348623158e308',
      '1.7976931348623159e308',
      '0.17976931348623159e309',
      '5e-324',
      '3e-324',
      '2.4703282292062327e-324',
      '2.4703282292062328e-324',
      '2e-324',
      '1e-400',
      '1e400',
      '0e400',
      '0.0e-400',
      `1${'0'.repeat(308)}`,
      `1${'0'.repeat(309)}`,
      `${'9'.repeat(309)}.0`,
      `0.${'0'.repeat(296)}1`,
      `0.${'0'.repeat(322)}3`,
      `0.${'0'.repeat(323)}1`,
      `0.${'0'.repeat(330)}`,
      `1${'0'.repeat(400)}e-400`,
      `0.${'0'.repeat(400)}1e400`,
    ),
  )
  .map((parts) => parts.join(''));

const ordinary = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((double) => JSON.stringify(double)),
);

export const arbitraryNumberLiteral = fc.oneof(
  { weight: 12, arbitrary: ordinary },
  { weight: 1, arbitrary: byGrammar },
  { weight: 1, arbitrary: nearPowers },
  { weight: 1, arbitrary: longIntegers },
  { weight: 1, arbitrary: edges },
);
