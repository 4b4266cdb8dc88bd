import { expect, test } from 'vitest';
import { scanReading, scanReadingAt } from '../../src/scan/scan-reading.ts';
import { bodyOf, rawValue } from './readings.ts';

const BODY = Buffer.from(bodyOf());

test('one line of many is scanned where it lies', () => {
  const lines = Buffer.concat([BODY, Buffer.from('\n'), BODY, Buffer.from('\n'), BODY]);
  const start = BODY.length + 1;
  const reading = scanReadingAt(lines, start, start + BODY.length);
  const alone = scanReading(BODY);
  if (!reading.ok || !alone.ok) throw new Error('rejected');
  expect(reading.starts).toEqual(alone.starts.map((position) => position + start));
  expect(rawValue(lines, reading, 'value')).toBe(rawValue(BODY, alone, 'value'));
});

test('no prefix of a reading is completed by the bytes behind it', () => {
  for (let end = 0; end < BODY.length; end++) {
    expect(scanReadingAt(BODY, 0, end)).toMatchObject({ ok: false, code: 'invalid_json' });
  }
});

test('positions in messages count from the start of the reading', () => {
  const buffer = Buffer.from(`      ?${bodyOf()}`);
  expect(scanReadingAt(buffer, 6, buffer.length)).toMatchObject({
    error: 'The body is not valid JSON: unexpected "?" at byte 0',
  });
});
