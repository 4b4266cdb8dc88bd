import { expect, test } from 'vitest';
import { accept, bodyOf, reject } from './readings.ts';

const GOOD = bodyOf();

test.each([
  ['nothing', ''],
  ['only whitespace', ' \n'],
  ['a word', 'hello'],
  ['a missing end', GOOD.slice(0, -1)],
  ['a missing quote', '{"cellar":"demo'],
  ['a comma before the end', GOOD.replace('}', ',}')],
  ['a comma too many', GOOD.replace(',', ',,')],
  ['a missing comma', GOOD.replace(',', ' ')],
  ['a missing colon', GOOD.replace(':', ' ')],
  ['single quotes', GOOD.replaceAll('"', "'")],
  ['a key without quotes', GOOD.replace('"cellar"', 'cellar')],
  ['a comment', `/* */${GOOD}`],
  ['a second object', `${GOOD}${GOOD}`],
  ['a byte behind the end', `${GOOD}\0`],
  ['a form feed as whitespace', `\f${GOOD}`],
  ['a no-break space as whitespace', `{\u00a0${GOOD.slice(1)}`],
  ['a broken literal as value', bodyOf({ value: 'nul' })],
  ['NaN', bodyOf({ value: 'NaN' })],
  ['Infinity', bodyOf({ value: '-Infinity' })],
  ['a fault inside a nested value', bodyOf({ keg: '[1,{"a":01}]' })],
  ['a nested value that is not closed', '{"keg":[[[['],
  ['closing brackets in the wrong order', bodyOf({ keg: '[{"a":1]}' })],
])('%s is not JSON', (_, body) => {
  expect(reject(body).code).toBe('invalid_json');
});

test.each([
  ['an array', '[1,2]'],
  ['an array of a reading', `[${GOOD}]`],
  ['a number', '5'],
  ['a text', '"cellar"'],
  ['null', 'null'],
  ['true', ' true '],
])('%s is JSON, but no reading', (_, body) => {
  expect(reject(body)).toEqual({
    ok: false,
    code: 'invalid_reading',
    error: 'A reading must be a JSON object',
  });
});

test('what is not JSON is invalid_json, though an error of the reading comes first', () => {
  expect(reject(`{"unit":"C","value":7,}`).code).toBe('invalid_json');
  expect(reject(`${bodyOf({ value: '"7"' })}]`).code).toBe('invalid_json');
});

test('the message says where', () => {
  expect(reject('{"cellar":"demo";}').error).toBe(
    'The body is not valid JSON: unexpected ";" at byte 16, in "cellar"',
  );
  expect(reject(`${GOOD} x`).error).toMatch(/unexpected "x" at byte \d+, after its end$/);
  expect(reject('{"cellar":').error).toMatch(/unexpected end at byte 10, in "cellar"$/);
});

test.each([
  ['space', ' '],
  ['tab', '\t'],
  ['line feed', '\n'],
  ['carriage return', '\r'],
])('%s may stand between all tokens', (_, space) => {
  const spaced = GOOD.replace(/("[^"]*"|[{}:,]|[0-9.]+)/g, `${space}$1${space}`);
  expect(accept(spaced)).toMatchObject({ cellar: 'demo', rack: 'boiler-house-2' });
});

test('100,000 nested arrays are read without a call stack', () => {
  const depth = 100_000;
  const deep = bodyOf({ keg: '['.repeat(depth) + ']'.repeat(depth) });
  expect(reject(deep)).toMatchObject({
    code: 'invalid_reading',
    error: '"keg" must be a string, not an array',
  });
  expect(reject(deep.slice(0, -1))).toMatchObject({ code: 'invalid_json' });
  expect(reject('{"keg":'.repeat(depth))).toMatchObject({ code: 'invalid_json' });
});
