import { describe, expect, test } from 'vitest';
import { oldestAgeSeconds } from '../src/batch/oldest-age.ts';

const NOW = Date.parse('2026-11-21T12:00:10.000Z');
const line = (receivedAt: string, rack = 'r') =>
  Buffer.from(
    `{"cellar":"c","rack":${JSON.stringify(rack)},"keg":"k","value":1,"timestamp":"2026-11-21T11:00:00Z","received_at":"${receivedAt}","key_id":"i"}\n`,
  );

describe('the age of the oldest reading', () => {
  test('is counted from its receipt', () => {
    const lines = [line('2026-11-21T12:00:09.750Z'), line('2026-11-21T12:00:07.500Z')];
    expect(oldestAgeSeconds(lines, NOW)).toBe(2.5);
  });

  test('is not below 0 when the clock of ingest is ahead', () => {
    expect(oldestAgeSeconds([line('2026-11-21T12:00:11.000Z')], NOW)).toBe(0);
  });

  test('does not fall for a rack that looks like the field', () => {
    const lines = [line('2026-11-21T12:00:09.000Z', '","received_at":"2001-01-01T00:00:00.000Z')];
    expect(oldestAgeSeconds(lines, NOW)).toBe(1);
  });

  test('is unknown without a time of receipt', () => {
    expect(oldestAgeSeconds([], NOW)).toBeUndefined();
    expect(oldestAgeSeconds([Buffer.from('{"received_at":"soon"}'), Buffer.from('{}')], NOW)).toBeUndefined();
  });
});
