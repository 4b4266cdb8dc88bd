import { expect, test } from 'vitest';
import { scanReading, scanReadingAt } from '../../src/scan-reading.ts';
import { bodyOf } from './readings.ts';

const BODY = Buffer.from(bodyOf());

test('one line of many is scanned where it lies', () => {
  const lines = Buffer.concat([BODY, Buffer.from('\n'), BODY, Buffer.from('\n'), BODY]);
  const start = BODY.length + 1;
  const reading = scanReadingAt(lines, start, start + BODY.length);
  const alone = scanReading(BODY);
  if (!reading.ok || !alone.ok) throw new Error('refused');
  expect(reading.rackStart).toBe(alone.rackStart + start);
  expect(lines.subarray(reading.valueStart, reading.valueEnd)).toEqual(
    BODY.subarray(alone.valueStart, alone.valueEnd),
  );
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
