import { expect, test } from 'vitest';
import { GOOD_FIELDS, accept, bodyOf, rawValue, reject } from './readings.ts';
import type { RawFields } from './readings.ts';

const FIELDS = Object.keys(GOOD_FIELDS) as (keyof RawFields)[];

test('a good reading gives its texts, its time and the bytes of each value', () => {
  const body = ` ${bodyOf({ rack: '"k\\u00fchl\\/1"', value: '-0.10E+2' })}\n`;
  const reading = accept(body);
  expect(reading.cellar).toBe('demo');
  expect(reading.rack).toBe('kühl/1');
  expect(reading.timestampMs).toBe(Date.UTC(2026, 10, 21, 6, 30));
  expect(rawValue(body, reading, 'cellar')).toBe('"demo"');
  expect(rawValue(body, reading, 'rack')).toBe('"k\\u00fchl\\/1"');
  expect(rawValue(body, reading, 'keg')).toBe('"temperature"');
  expect(rawValue(body, reading, 'value')).toBe('-0.10E+2');
  expect(rawValue(body, reading, 'timestamp')).toBe('"2026-11-21T06:30:00Z"');
});

test('the order of the fields is free', () => {
  const reversed = `{${[...FIELDS]
    .reverse()
    .map((name) => `"${name}":${GOOD_FIELDS[name]}`)
    .join(',')}}`;
  expect(accept(reversed)).toMatchObject({ cellar: 'demo', rack: 'boiler-house-2' });
});

test.each(FIELDS)('%s is required', (field) => {
  const others = FIELDS.filter((name) => name !== field);
  const body = `{${others.map((name) => `"${name}":${GOOD_FIELDS[name]}`).join(',')}}`;
  expect(reject(body)).toMatchObject({ code: 'invalid_reading', error: `"${field}" is missing` });
});

test('all missing fields are named', () => {
  expect(reject('{"value":1}').error).toBe('"cellar", "rack", "keg", "timestamp" are missing');
});

test.each(FIELDS)('%s must not be given twice, not even with the same value', (field) => {
  const twice = bodyOf().replace('}', `,"${field}":${GOOD_FIELDS[field]}}`);
  expect(reject(twice)).toMatchObject({ code: 'invalid_reading', error: `"${field}" is given twice` });
});

test('a key written with escapes is the same key', () => {
  const escaped = bodyOf().replace('"cellar"', '"c\\u0065llar"');
  expect(accept(escaped).cellar).toBe('demo');
  expect(reject(escaped.replace('}', ',"cellar":"demo"}')).error).toBe('"cellar" is given twice');
});

test.each([
  ['an unknown field', '"unit":"C"', '"unit"'],
  ['an unknown field with a nested value', '"tags":{"a":[1,{}]}', '"tags"'],
  ['another case', '"Value":1', '"Value"'],
  ['a field with a space', '"value ":1', '"value "'],
  ['a field that only begins like one', '"values":1', '"values"'],
  ['an empty name', '"":1', '""'],
  ['a name of the language', '"__proto__":{}', '"__proto__"'],
  ['half of a surrogate pair as name', '"\\ud83d":1', '"\\ud83d"'],
])('%s is rejected by its name', (_, member, name) => {
  expect(reject(bodyOf().replace('}', `,${member}}`))).toEqual({
    ok: false,
    code: 'invalid_reading',
    error: `${name} is not a field of a reading`,
  });
});

test('a long unknown name is cut in the response', () => {
  const { error } = reject(`{"${'n'.repeat(10_000)}":1}`);
  expect(error).toBe(`"${'n'.repeat(64)}…" is not a field of a reading`);
});

const NOT_NUMBERS = [
  ['"7"', 'a string'],
  ['""', 'a string'],
  ['null', 'null'],
  ['true', 'a boolean'],
  ['false', 'a boolean'],
  ['[5]', 'an array'],
  ['{}', 'an object'],
  ['{"value":5}', 'an object'],
] as const;
test.each(NOT_NUMBERS)('value %s is %s, not a number', (raw, received) => {
  expect(reject(bodyOf({ value: raw }))).toMatchObject({
    code: 'invalid_reading',
    error: `"value" must be a number, not ${received}`,
  });
});

const NOT_TEXTS = [
  ['7', 'a number'],
  ['-1', 'a number'],
  ['null', 'null'],
  ['true', 'a boolean'],
  ['["a"]', 'an array'],
  ['{"a":"b"}', 'an object'],
  ['[]', 'an array'],
] as const;
test.each(
  (['cellar', 'rack', 'keg', 'timestamp'] as const).flatMap((field) =>
    NOT_TEXTS.map(([raw, received]) => [field, raw, received] as const),
  ),
)('%s %s is %s, not a string', (field, raw, received) => {
  expect(reject(bodyOf({ [field]: raw }))).toMatchObject({
    code: 'invalid_reading',
    error: `"${field}" must be a string, not ${received}`,
  });
});

test('the first error in the body is the one that is named', () => {
  expect(reject('{"value":"7","unit":"C","cellar":1}').error).toMatch(/^"value"/);
  expect(reject('{"unit":"C","value":"7"}').error).toMatch(/^"unit"/);
});
