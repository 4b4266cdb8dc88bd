import fc from 'fast-check';
import { arbitraryNumberLiteral } from '../../services/ingest/tests/scan/arbitrary-numbers.ts';
import { arbitraryName, jsonString } from '../../services/ingest/tests/scan/arbitrary-texts.ts';
import { mutated } from '../../services/ingest/tests/scan/mutate-bytes.ts';

/** Deeper than any parser that recurses can go, and within the cap of a body. */
const DEEP = 8_000;

const fraction = fc.oneof(
  fc.constant(''),
  fc
    .string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: 1, maxLength: 10 })
    .map((digits) => `.${digits}`),
);

/** Mostly times that may be stored now. */
const timestamp = fc.tuple(fc.integer({ min: -3_600, max: 80 * 86_400 }), fraction).map(([age, digits]) => {
  const seconds = new Date(Date.now() - age * 1_000).toISOString().slice(0, 19);
  return `"${seconds}${digits}Z"`;
});

/** What stands where a field of a reading should, or besides. */
const odd = fc.oneof(
  fc.json(),
  fc.constantFrom('NaN', '01', '1.', '"\\ud800"', '"\\u0000"', '1e999', '-0', '9'.repeat(400), '"7"', 'null'),
  fc.constant('['.repeat(DEEP) + ']'.repeat(DEEP)),
  fc.constant('{"a":'.repeat(2_000) + '1' + '}'.repeat(2_000)),
);

const extra = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('rack', 'value', '__proto__', 'constructor', 'unit').chain(jsonString), odd)
      .map(([name, value]) => `,${name}:${value}`),
  },
);

/** Mostly a number, sometimes an unusual literal. */
const value = fc.oneof({ weight: 8, arbitrary: arbitraryNumberLiteral }, { weight: 1, arbitrary: odd });

/** Bodies that are readings of this cellar, or nearly, or were until a few bytes changed. */
export function arbitraryReadings(cellar: string): fc.Arbitrary<Buffer> {
  const good = fc
    .tuple(arbitraryName, arbitraryName, value, timestamp, extra)
    .map(
      ([rack, keg, number, time, more]) =>
        `{"cellar":"${cellar}","rack":${rack},"keg":${keg},"value":${number},"timestamp":${time}${more}}`,
    );
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  return fc.oneof({ weight: 9, arbitrary: mutated(good) }, { weight: 1, arbitrary: bytes });
}

const headerText = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    fc.integer({ min: 0x80, max: 0xff }).map((code) => String.fromCharCode(code)),
  ),
  maxLength: 60,
});

/** Headers that ingest, Node or a proxy gives a meaning to, with any values. */
export const arbitraryHeaders: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom(
    ...[
      'content-type',
      'content-encoding',
      'traceparent',
      'accept',
      'accept-encoding',
      'x-api-key',
      'cookie',
    ],
    ...[
      'user-agent',
      'origin',
      'range',
      'if-match',
      'x-forwarded-for',
      'x-http-method-override',
      'te',
      'via',
    ],
  ),
  fc.oneof(
    headerText,
    fc.constantFrom('application/json', 'identity', 'gzip', '*/*', 'application/json;charset=utf-16', ''),
  ),
  { maxKeys: 3 },
);
