import { READING_FIELD_NAMES } from '@cellarman/reading';
import { describe, expect, it, test } from 'vitest';
import { fieldIn } from '../../src/rejections/field-in.ts';
import { scanReading } from '../../src/scan/scan-reading.ts';
import { reading } from '../ingest-app.ts';

/** What the scanner says of these bytes. */
function errorOf(body: unknown): string {
  const result = scanReading(Buffer.from(JSON.stringify(body)));
  if (result.ok) throw new Error('this is a good reading');
  return result.error;
}

describe.each(READING_FIELD_NAMES)('the field %s', (field) => {
  it('is reported when it is missing, and when it is wrong', () => {
    expect(fieldIn(errorOf(reading({ [field]: undefined })))).toBe(field);
    expect(fieldIn(errorOf(reading({ [field]: [] })))).toBe(field);
  });
});

test('of several missing fields the first is reported', () => {
  expect(fieldIn(errorOf({ cellar: 'demo', rack: 'a' }))).toBe('keg');
});

test('an unknown field, whose name is the text of a client, is none', () => {
  expect(fieldIn(errorOf(reading({ secret: 1 })))).toBeNull();
  expect(fieldIn(errorOf([]))).toBeNull();
});
