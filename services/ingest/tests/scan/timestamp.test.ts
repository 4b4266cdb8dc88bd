import { expect, test } from 'vitest';
import { accept, bodyOf, reject } from './readings.ts';

test.each([
  ['2026-11-21T06:30:00Z', Date.UTC(2026, 10, 21, 6, 30)],
  ['1970-01-01T00:00:00Z', 0],
  ['1969-12-31T23:59:59.999999999Z', -1],
  ['1969-12-31T23:59:59.9989Z', -2],
  ['2024-02-29T23:59:59Z', Date.UTC(2024, 1, 29, 23, 59, 59)],
  ['2000-02-29T00:00:00Z', Date.UTC(2000, 1, 29)],
  ['2026-12-31T23:59:59.9Z', Date.UTC(2026, 11, 31, 23, 59, 59, 900)],
  ['2026-01-01T00:00:00.12Z', Date.UTC(2026, 0, 1, 0, 0, 0, 120)],
  ['2026-01-01T00:00:00.123456789Z', Date.UTC(2026, 0, 1, 0, 0, 0, 123)],
  ['2026-01-01T00:00:00.000999999Z', Date.UTC(2026, 0, 1)],
  ['0000-01-01T00:00:00Z', -62_167_219_200_000],
  ['0000-02-29T00:00:00Z', Date.parse('0000-02-29T00:00:00Z')],
  ['1900-01-01T00:00:00Z', Date.UTC(1900, 0, 1)],
  ['2262-04-11T23:47:16.854775807Z', Date.UTC(2262, 3, 11, 23, 47, 16, 854)],
  ['9999-12-31T23:59:59.999999999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
])('%s', (text, ms) => {
  expect(accept(bodyOf({ timestamp: `"${text}"` })).timestampMs).toBe(ms);
});

test('every day of a whole cycle of the calendar has the number that Date gives it', () => {
  const dayMs = 86_400_000;
  const wrong: string[] = [];
  for (let day = Date.UTC(1896, 0, 1); day < Date.UTC(2296, 0, 1); day += dayMs) {
    const text = `${new Date(day).toISOString().slice(0, 10)}T00:00:00Z`;
    if (accept(bodyOf({ timestamp: `"${text}"` })).timestampMs !== day) wrong.push(text);
  }
  expect(wrong).toEqual([]);
});

test.each([
  '',
  'Z',
  'yesterday',
  '2026-11-21',
  '2026-11-21T06:30:00',
  '2026-11-21T06:30Z',
  '2026-11-21 06:30:00Z',
  '2026-11-21t06:30:00Z',
  '2026-11-21T06:30:00z',
  '2026-11-21T06:30:00+00:00',
  '2026-11-21T06:30:00+01:00',
  '2026-11-21T06:30:00ZZ',
  ' 2026-11-21T06:30:00Z',
  '2026-11-21T06:30:00Z ',
  '+02026-11-21T06:30:00Z',
  '26-11-21T06:30:00Z',
  '20261121T063000Z',
  '2026-00-21T06:30:00Z',
  '2026-13-21T06:30:00Z',
  '2026-11-00T06:30:00Z',
  '2026-11-31T06:30:00Z',
  '2026-02-29T06:30:00Z',
  '2100-02-29T06:30:00Z',
  '2024-02-30T06:30:00Z',
  '2026-04-31T06:30:00Z',
  '2026-01-32T06:30:00Z',
  '2026-11-21T24:00:00Z',
  '2026-11-21T06:60:00Z',
  '2026-12-31T23:59:60Z',
  '2026-11-21T06:30:00.Z',
  '2026-11-21T06:30:00.1234567890Z',
  '2026-11-21T06:30:00,5Z',
  '2026-11-21T06:30:00.5',
  '2026-11-21T06:30:00.5+00:00',
  '2026-11-21T0/:30:00Z',
  '2026-11-21T0::30:00Z',
  '2O26-11-21T06:30:00Z',
  '２026-11-21T06:30:00Z',
  '2026\\u002d11-21T06:30:00Z',
  '2026-11-21T06:30:00\\u005a',
])('%s is rejected', (text) => {
  expect(reject(bodyOf({ timestamp: `"${text}"` }))).toMatchObject({
    code: 'invalid_reading',
    error: expect.stringMatching(/^"timestamp" must be a time in UTC/) as string,
  });
});

test('a body that ends inside the timestamp is not read beyond its end', () => {
  const body = Buffer.from(bodyOf());
  const start = body.indexOf('"2026');
  for (let length = start; length < body.length; length++) {
    expect(reject(body.subarray(0, length)).code).toBe('invalid_json');
  }
});
