import { expect, test } from 'vitest';
import { accept, bodyOf, rawValue, reject } from './readings.ts';

test.each([
  ['one letter', '"a"', 'a'],
  ['one digit', '"0"', '0'],
  ['all that is allowed', '"Az09._-"', 'Az09._-'],
  ['64 characters', `"${'c'.repeat(64)}"`, 'c'.repeat(64)],
  ['escapes', '"d\\u0065mo"', 'demo'],
])('cellar: %s', (_, raw, text) => {
  expect(accept(bodyOf({ cellar: raw })).cellar).toBe(text);
});

test.each([
  ['empty', '""'],
  ['65 characters', `"${'c'.repeat(65)}"`],
  ['65 characters with an escape', `"\\u0063${'c'.repeat(64)}"`],
  ['a dot first', '".a"'],
  ['an underscore first', '"_a"'],
  ['a hyphen first', '"-a"'],
  ['an escaped dot first', '"\\u002ea"'],
  ['a space', '"a b"'],
  ['a slash', '"a/b"'],
  ['an escaped slash', '"a\\/b"'],
  ['a letter with an accent', '"kühl"'],
  ['an emoji', '"🍺"'],
  ['an escaped line feed at the end', '"demo\\n"'],
  ['the neighbours of the letters', '"a@"'],
  ['a bracket', '"a["'],
  ['a backquote', '"a`"'],
  ['a brace', '"a{"'],
  ['half of a surrogate pair', '"\\ud83d"'],
])('cellar rejected: %s', (_, raw) => {
  expect(reject(bodyOf({ cellar: raw }))).toMatchObject({
    code: 'invalid_reading',
    error: expect.stringMatching(/^"cellar" must be 1 to 64/) as string,
  });
});

test.each([
  ['a space', '" "', ' '],
  ['a slash, escaped as PHP does', '"a\\/b"', 'a/b'],
  ['a quote and a backslash', '"\\"\\\\"', '"\\'],
  ['a tilde, the last of printable ASCII', '"~"', '~'],
  ['the first behind the control characters', '"\\u0080"', '\u0080'],
  ['a line separator', '"\u2028"', '\u2028'],
  ['a byte order mark inside', '"\ufeff"', '\ufeff'],
  ['an emoji', '"🍺"', '🍺'],
  ['an emoji by escapes', '"\\ud83c\\udf7a"', '🍺'],
  ['256 letters', `"${'r'.repeat(256)}"`, 'r'.repeat(256)],
  ['256 emoji are 256 code points', `"${'🍺'.repeat(256)}"`, '🍺'.repeat(256)],
  ['256 emoji by escapes', `"${'\\ud83c\\udf7a'.repeat(256)}"`, '🍺'.repeat(256)],
])('rack and keg: %s', (_, raw, text) => {
  expect(accept(bodyOf({ rack: raw })).rack).toBe(text);
  const body = bodyOf({ keg: raw });
  expect(rawValue(body, accept(body), 'keg')).toBe(raw);
});

const FAULTS: [string, string, RegExp][] = [
  ['empty', '""', /must have 1 to 256 characters$/],
  ['257 letters', `"${'r'.repeat(257)}"`, /must have 1 to 256 characters$/],
  ['257 emoji', `"${'🍺'.repeat(257)}"`, /must have 1 to 256 characters$/],
  ['257 escapes', `"${'\\u0041'.repeat(257)}"`, /must have 1 to 256 characters$/],
  ['NUL by escape', '"a\\u0000"', /must not contain control characters$/],
  ['a line feed by escape', '"a\\n"', /must not contain control characters$/],
  ['U+001F by escape', '"\\u001F"', /must not contain control characters$/],
  ['U+007F as it is', '"\u007f"', /must not contain control characters$/],
  ['U+007F by escape', '"\\u007f"', /must not contain control characters$/],
  ['a high surrogate alone', '"\\ud83c"', /half of a surrogate pair$/],
  ['a low surrogate alone', '"\\udf7a"', /half of a surrogate pair$/],
  ['a pair the wrong way round', '"\\udf7a\\ud83c"', /half of a surrogate pair$/],
  ['two high ones', '"\\ud83c\\ud83c\\udf7a"', /half of a surrogate pair$/],
  ['a high surrogate before a letter', '"\\ud83cx\\udf7a"', /half of a surrogate pair$/],
];
test.each((['rack', 'keg'] as const).flatMap((field) => FAULTS.map((fault) => [field, ...fault] as const)))(
  '%s rejected: %s',
  (field, _, raw, message) => {
    const { code, error } = reject(bodyOf({ [field]: raw }));
    expect(code).toBe('invalid_reading');
    expect(error).toMatch(message);
    expect(error.startsWith(`"${field}" `)).toBe(true);
  },
);

test.each(['"\\x41"', '"\\u12"', '"\\u12g4"', '"\\U0041"', '"\\', '"\\"'])(
  '%s is no escape of JSON',
  (raw) => {
    expect(reject(bodyOf({ rack: raw })).code).toBe('invalid_json');
  },
);
