import { describe, expect, test } from 'vitest';
import { identityOf, parseMessage, seriesPointIdentityOf } from '../src/index.ts';

const reading = { cellar: 'demo', rack: 'r', keg: 'k', value: 7, timestamp: '2026-11-21T06:30:00Z' };
const hex = (of: typeof reading) => identityOf(of).toString('hex');

describe('the identity of a reading', () => {
  test('is that of every way to write it', () => {
    expect(hex({ ...reading, timestamp: '2026-11-21 06:30:00.000000000' })).toBe(hex(reading));
    expect(hex({ ...reading, timestamp: '2026-11-21T06:30:00.000Z' })).toBe(hex(reading));
    expect(hex({ ...reading, value: -0 })).toBe(hex({ ...reading, value: 0 }));
  });

  test('differs with each field, down to the last bit of the value', () => {
    const others = [
      { ...reading, cellar: 'demo2' },
      { ...reading, rack: 'rk', keg: '' },
      { ...reading, value: 7 + Number.EPSILON * 4 },
      { ...reading, timestamp: '2026-11-21T06:30:00.000000001Z' },
    ].map(hex);
    expect(new Set([hex(reading), ...others]).size).toBe(5);
    expect(seriesPointIdentityOf({ ...reading, value: 8 })).toEqual(seriesPointIdentityOf(reading));
  });
});

describe('a message', () => {
  const parse = (fields: object | string) =>
    parseMessage(Buffer.from(typeof fields === 'string' ? fields : JSON.stringify(fields)));

  test('has a reading and its time of receipt', () => {
    const receivedAt = '2026-11-21T06:30:00.123Z';
    expect(parse({ ...reading, received_at: receivedAt, key_id: 'k' })).toEqual({
      reading,
      receivedAt: Date.parse(receivedAt),
    });
    expect(parse(reading)?.receivedAt).toBeNaN();
  });

  test.each(['', 'null', '[]', '{"value":"no"}', '{'])('%s is not a reading', (value) => {
    expect(parse(value)).toBeUndefined();
  });

  test('without a value is not a reading', () => {
    expect(parseMessage(null)).toBeUndefined();
  });
});
