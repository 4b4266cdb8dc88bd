import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createCanonicalCheck,
  createLineDecoder,
  decodeLine,
  fieldsOf,
  isCanonicalLine,
  topicReadingSchema,
  TOPIC_FIELDS,
} from '../src/index.ts';
import { BAD_VALUES, readingLine } from './reading-line.ts';

const decoded = (text: string) => {
  const result = decodeLine(Buffer.from(text));
  return 'line' in result ? result.line.toString() : result;
};

describe('a line as ingest writes it', () => {
  it.each([
    readingLine(),
    readingLine({ value: '0' }),
    readingLine({ value: '-273.15' }),
    readingLine({ value: '0.000000000000001' }),
    readingLine({ value: '999999999999999' }),
    readingLine({ timestamp: '"2024-02-29T23:59:59Z"' }),
    readingLine({ timestamp: '"1900-01-01T00:00:00Z"' }),
    readingLine({ timestamp: '"2095-12-31T23:59:59.999999999Z"' }),
    readingLine({ rack: '"Kühlhaus 冷 🥶"', keg: `"${'é'.repeat(256)}"` }),
    readingLine({ rack: '"\'{}[],: value"' }),
    readingLine({ cellar: `"${'c'.repeat(64)}"`, key_id: `"${'k'.repeat(64)}"` }),
  ])('passes through: %s', (line) => {
    expect(isCanonicalLine(Buffer.from(line))).toBe(true);
    expect(decoded(line)).toBe(line);
  });
});

describe.each(Object.entries(BAD_VALUES))('%s', (_kind, value) => {
  it('does not pass through', () => {
    expect(isCanonicalLine(value)).toBe(false);
  });

  it('is rejected with a reason', () => {
    const result = decodeLine(value);
    expect('reason' in result && result.reason).toMatch(/.{8}/);
  });
});

describe('a line that another program wrote', () => {
  it.each([
    ['spaces', `  ${readingLine().replaceAll(',', ' ,\n').replaceAll('":', '" : ')}\n`, readingLine()],
    ['another order', readingLine({ cellar: undefined }).replace('}', ',"cellar":"demo"}'), readingLine()],
    ['escapes', readingLine({ rack: '"\\u004b\\u00fchlhaus\\/1"' }), readingLine({ rack: '"Kühlhaus/1"' })],
    ['escaped names', readingLine().replace('"value"', '"v\\u0061lue"'), readingLine()],
    ['a quote in a name', readingLine({ keg: '"5\\" pipe"' }), readingLine({ keg: '"5\\" pipe"' })],
    ['an exponent', readingLine({ value: '1.5E+3' }), readingLine({ value: '1.5E+3' })],
    ['many digits', readingLine({ value: '0.10000000000000000000000000000000000000000001' }), undefined],
    ['an exact long integer', readingLine({ value: '9007199254740994' }), undefined],
    ['minus zero', readingLine({ value: '-0' }), readingLine({ value: '0' })],
    ['minus zero with a fraction', readingLine({ value: '-0.00' }), readingLine({ value: '0.00' })],
    ['minus zero with an exponent', readingLine({ value: '-0e7' }), readingLine({ value: '0e7' })],
  ])('is written again with the same literals: %s', (_kind, given, expected = given) => {
    expect(isCanonicalLine(Buffer.from(given))).toBe(false);
    expect(decoded(given)).toBe(expected);
  });
});

describe('a line of a later release, with fields that this one does not know', () => {
  it.each([
    ['text', { unit: '"°C"' }],
    ['null', { unit: 'null' }],
    ['an object', { tags: '{"site":"north","range":[-20,{"max":4.5e1}],"quote":"}]\\""}' }],
    ['an array', { history: ' [ [ ] , [21.4, 21.5] , {} ] ' }],
    ['several', { unit: '"°C"', quality: '192', is_estimated: 'false' }],
  ])('is stored without them: %s', (_kind, unknown) => {
    const line = readingLine(unknown);
    expect(isCanonicalLine(Buffer.from(line))).toBe(false);
    expect(decoded(line)).toBe(readingLine());
    // Before the known fields as well as behind them.
    const [[name, json] = []] = Object.entries(unknown);
    expect(decoded(readingLine().replace('{', `{"${name ?? ''}":${json ?? ''},`))).toBe(readingLine());
  });
});

describe('a later release, which has an optional field more', () => {
  const { received_at, key_id, ...fields } = topicReadingSchema.properties;
  const unit = Type.Optional(Type.String({ pattern: '^.{1,32}$' }));
  const laterFields = fieldsOf(Type.Object({ ...fields, unit, received_at, key_id }), {
    ...Object.fromEntries(TOPIC_FIELDS.map(({ name, kind }) => [name, kind])),
    unit: 'name',
  });
  const isCanonical = createCanonicalCheck(laterFields);
  const decode = createLineDecoder(laterFields);
  const decodedLater = (text: string) => {
    const result = decode(Buffer.from(text));
    return 'line' in result ? result.line.toString() : result.reason;
  };
  const withUnit = (json: string) => readingLine().replace(',"received_at"', `,"unit":${json},"received_at"`);

  it('stores lines of this release', () => {
    expect(isCanonical(Buffer.from(readingLine()))).toBe(true);
    expect(decodedLater(readingLine())).toBe(readingLine());
  });

  it('stores the field of its own lines, and checks it', () => {
    expect(isCanonical(Buffer.from(withUnit('"°C"')))).toBe(true);
    expect(decodedLater(withUnit('"°C"'))).toBe(withUnit('"°C"'));
    expect(isCanonical(Buffer.from(withUnit('7')))).toBe(false);
    expect(decodedLater(withUnit('7'))).toContain('unit: must be a string');
  });

  it('puts the field into its place', () => {
    expect(isCanonical(Buffer.from(readingLine({ unit: '"°C"' })))).toBe(false);
    expect(decodedLater(readingLine({ unit: '"°C"' }))).toBe(withUnit('"°C"'));
  });
});

describe('a long line', () => {
  const valueOf = (line: string) => (JSON.parse(line) as { value: number }).value;

  it.each([
    ['many ones', `0.${'1'.repeat(16_000)}`],
    ['many zeros', `-3.7758${'0'.repeat(16_000)}`],
    [
      'a middle between two doubles and a bit',
      `1.${'0'.repeat(15)}11102230246251565404236316680908203125${'0'.repeat(16_000)}1`,
    ],
    ['an exponent that makes up for zeros', `0.${'0'.repeat(16_000)}25e16000`],
    ['an exponent with zeros', `1e-${'0'.repeat(16_000)}5`],
    ['a large number', `${'9'.repeat(300)}.${'9'.repeat(16_000)}`],
    ['as many as a message takes', `0.${'1'.repeat(1_048_000)}`],
  ])('has a number of %s, which is written in the few digits that mean the same', (_kind, literal) => {
    const line = readingLine({ value: String(Number(literal)) });
    expect(decoded(readingLine({ value: literal }))).toBe(line);
    expect(valueOf(line)).toBe(Number(literal));
  });

  it('has a zero of many digits', () => {
    const line = decoded(readingLine({ value: `-0.${'0'.repeat(16_000)}` }));
    expect(line).toBe(readingLine({ value: '0' }));
  });

  it('has spaces', () => {
    expect(decoded(' '.repeat(20_000) + readingLine())).toBe(readingLine());
  });
});

describe('the two checks', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  );
  const line = fc
    .record({
      rack: name.map((text) => JSON.stringify(text)),
      keg: name.map((text) => JSON.stringify(text)),
      value: fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
        fc.stringMatching(/^-?(0|[1-9]\d{0,17})(\.\d{1,6})?(e[+-]?\d{1,3})?$/),
      ),
      timestamp: fc
        .date({ min: new Date('1900-01-01'), max: new Date('2095-12-31'), noInvalidDate: true })
        .map((date) => JSON.stringify(date)),
    })
    .map(readingLine);

  it('agree: what passes through is what decoding would write', () => {
    fc.assert(
      fc.property(line, (text) => {
        const bytes = Buffer.from(text);
        if (isCanonicalLine(bytes)) expect(decoded(text)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('agree after any damage to the bytes', () => {
    const damage = fc.array(
      fc.record({
        at: fc.nat(400),
        remove: fc.nat(3),
        insert: fc.oneof(
          fc.uint8Array({ maxLength: 2 }),
          fc.constantFrom('"', ',', '}{', 'null', '0', '-', '\\').map((text) => Buffer.from(text)),
        ),
      }),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(line, damage, (text, changes) => {
        let bytes = Buffer.from(text);
        for (const { at, remove, insert } of changes) {
          const cut = at % (bytes.length + 1);
          bytes = Buffer.concat([bytes.subarray(0, cut), insert, bytes.subarray(cut + remove)]);
        }
        const result = decodeLine(bytes);
        if (isCanonicalLine(bytes)) expect(result).toEqual({ line: bytes });
        if ('line' in result) expect(() => JSON.parse(result.line.toString()) as unknown).not.toThrow();
      }),
      { numRuns: 5_000 },
    );
  });
});
