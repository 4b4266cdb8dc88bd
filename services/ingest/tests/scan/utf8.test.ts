import { expect, test } from 'vitest';
import { accept, bodyOf, reject } from './readings.ts';

/** A good reading whose rack has these bytes between its quotes. */
function rackOf(...inner: number[]): Buffer {
  const [before, after] = bodyOf({ rack: '"|"' }).split('|') as [string, string];
  return Buffer.concat([Buffer.from(before), Buffer.from(inner), Buffer.from(after)]);
}

test.each([
  ['a stray continuation byte', [0x80]],
  ['a byte that UTF-8 never has', [0xff]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['an overlong slash of three bytes', [0xe0, 0x80, 0xaf]],
  ['an overlong slash of four bytes', [0xf0, 0x80, 0x80, 0xaf]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['a pair of surrogates', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ['more than U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['a first byte of five', [0xf8, 0x88, 0x80, 0x80, 0x80]],
  ['two bytes cut short', [0xc3]],
  ['three bytes cut short', [0xe2, 0x82]],
  ['four bytes cut short', [0xf0, 0x9f, 0x98]],
  ['latin1', [0x6b, 0xfc, 0x68, 0x6c]],
])('%s is invalid_json, and the message names the field', (_, inner) => {
  expect(reject(rackOf(...inner))).toMatchObject({
    code: 'invalid_json',
    error: expect.stringMatching(/invalid UTF-8.*in "rack"$/) as string,
  });
});

test.each([
  ['the last of two bytes', [0xdf, 0xbf], '\u07ff'],
  ['the first of three bytes', [0xe0, 0xa0, 0x80], '\u0800'],
  ['the last before the surrogates', [0xed, 0x9f, 0xbf], '\ud7ff'],
  ['the first behind the surrogates', [0xee, 0x80, 0x80], '\ue000'],
  ['the first of four bytes', [0xf0, 0x90, 0x80, 0x80], '\u{10000}'],
  ['the last of Unicode', [0xf4, 0x8f, 0xbf, 0xbf], '\u{10ffff}'],
])('%s is text', (_, inner, text) => {
  expect(accept(rackOf(...inner)).rack).toBe(text);
});

test('a sequence that the end of the body cuts off is not completed by what follows in memory', () => {
  const whole = Buffer.from('{"rack":"é"}');
  expect(reject(whole.subarray(0, whole.indexOf(0xc3) + 1)).code).toBe('invalid_json');
});

test('a byte order mark is rejected and named', () => {
  expect(reject(`\ufeff${bodyOf()}`)).toMatchObject({
    code: 'invalid_json',
    error: 'The body is not valid JSON: byte order mark at byte 0',
  });
});

test.each([
  ['UTF-16', Buffer.from(bodyOf(), 'utf16le')],
  ['a raw line feed in a text', bodyOf({ rack: '"a\nb"' })],
  ['a raw U+001F in a key', bodyOf().replace('rack', 'ra\u001fck')],
])('%s is invalid_json', (_, body) => {
  expect(reject(body).code).toBe('invalid_json');
});
