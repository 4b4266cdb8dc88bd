import { describe, expect, it, test } from 'vitest';
import { decodeBase64, isUtf8, printable, toHexDump, toText } from '../src/dead-letters/describe-payload.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('the payload of a dead letter as text', () => {
  it.each([
    ['lines', Buffer.from('{\n\t"a": 1\r\n}'), '{\n\\u{9}"a": 1\n}'],
    ['a mark that reverses text', Buffer.from('a\u202eb'), 'a\\u{202e}b'],
    ['a terminal sequence', Buffer.from('\u001b[31m'), '\\u{1b}[31m'],
    ['a byte order mark', Buffer.from('\ufeff{}'), '\\u{feff}{}'],
    ['invalid UTF-8', bytes(0x61, 0xff, 0x00), 'a\ufffd\\u{0}'],
    ['nothing', bytes(), ''],
  ])('%s', (_what, payload, text) => expect(toText(payload)).toBe(text));

  it('says whether it is UTF-8', () => {
    expect([bytes(), Buffer.from('°C'), bytes(0xc3), bytes(0xff)].map(isUtf8)).toEqual([
      ...[true, true, false, false],
    ]);
  });
});

test('a payload in hexadecimal has 16 bytes a line, with their ASCII', () => {
  const dump = toHexDump(Buffer.from('{"value": 21.5}\n\u00ff<'));
  expect(dump.split('\n')).toEqual([
    '00000000  7b 22 76 61 6c 75 65 22 3a 20 32 31 2e 35 7d 0a  |{"value": 21.5}.|',
    '00000010  c3 bf 3c                                         |..<|',
  ]);
  expect(toHexDump(bytes())).toBe('');
});

test('Base64 of the API becomes bytes', () => {
  expect(decodeBase64(Buffer.from([0, 127, 128, 255]).toString('base64'))).toEqual(bytes(0, 127, 128, 255));
  expect(printable('press-7 °C\n')).toBe('press-7 °C\\u{a}');
});
