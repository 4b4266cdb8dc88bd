import { TypeCompiler } from '@sinclair/typebox/compiler';
import { expect, test } from 'vitest';
import { readingSchema, topicReadingSchema } from '../src/index.ts';

const reading = {
  cellar: 'demo',
  rack: 'boiler-house-2',
  keg: 'temperature',
  value: 21.5,
  timestamp: '2026-11-21T06:30:00Z',
};
const isReading = TypeCompiler.Compile(readingSchema);

test('a reading of the specification passes', () => {
  expect(isReading.Check(reading)).toBe(true);
  expect(isReading.Check({ ...reading, value: -3, timestamp: '2026-11-21T06:30:00.123456789Z' })).toBe(true);
});

test.each(Object.keys(reading))('%s is required', (field) => {
  expect(isReading.Check({ ...reading, [field]: undefined })).toBe(false);
  expect(
    isReading.Check(Object.fromEntries(Object.entries(reading).filter(([name]) => name !== field))),
  ).toBe(false);
});

test.each([
  ['an unknown field', { ...reading, unit: 'C' }],
  ['a text as value', { ...reading, value: '7' }],
  ['null as value', { ...reading, value: null }],
  ['an empty rack', { ...reading, rack: '' }],
  ['a control character', { ...reading, keg: 'a\u0007' }],
  ['a cellar that begins with a dot', { ...reading, cellar: '.demo' }],
  ['a cellar of 65 characters', { ...reading, cellar: 'c'.repeat(65) }],
  ['a rack of 257 characters', { ...reading, rack: 'r'.repeat(257) }],
  ['an offset', { ...reading, timestamp: '2026-11-21T06:30:00+00:00' }],
  ['ten fraction digits', { ...reading, timestamp: '2026-11-21T06:30:00.1234567890Z' }],
])('%s is rejected', (_, value) => {
  expect(isReading.Check(value)).toBe(false);
});

test('the topic carries the five fields as they are, and two of its own', () => {
  expect(Object.keys(topicReadingSchema.properties)).toEqual([
    ...Object.keys(readingSchema.properties),
    'received_at',
    'key_id',
  ]);
});
