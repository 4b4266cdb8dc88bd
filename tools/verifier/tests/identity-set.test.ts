import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIdentitySet, SEEN } from '../src/identity-set.ts';
import { identityOf, withNanoseconds } from '@cellarman/verification';

const reading = { cellar: 'demo', rack: 'r', keg: 'k', value: 1.5, timestamp: '2026-11-21T06:30:00.5Z' };

test('marks on fifty thousand identities are all found again', () => {
  const set = createIdentitySet();
  for (let i = 0; i < 50_000; i++) set.mark(identityOf({ ...reading, value: i }), SEEN.topic);
  for (let i = 0; i < 50_000; i += 2) set.mark(identityOf({ ...reading, value: i }), SEEN.view);
  expect(set.size()).toBe(50_000);
  expect(set.count(SEEN.topic)).toBe(50_000);
  expect(set.count(SEEN.topic, SEEN.view)).toBe(25_000);
  expect(set.marksOf(identityOf({ ...reading, value: 10 }))).toBe(SEEN.topic | SEEN.view);
  expect(set.marksOf(identityOf({ ...reading, value: -1 }))).toBe(0);
});

test('it agrees with a Map', () => {
  const marks = fc.constantFrom(...Object.values(SEEN));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(50), marks)), (steps) => {
      const set = createIdentitySet();
      const model = new Map<number, number>();
      for (const [value, mark] of steps) {
        expect(set.mark(identityOf({ ...reading, value }), mark)).toBe(model.get(value) ?? 0);
        model.set(value, (model.get(value) ?? 0) | mark);
      }
      expect(set.size()).toBe(model.size);
      for (const [value, mark] of model) expect(set.marksOf(identityOf({ ...reading, value }))).toBe(mark);
    }),
  );
});

test('one reading has one identity, in the form of HTTP and in that of ClickHouse', () => {
  expect(withNanoseconds('2026-11-21T06:30:00.5Z')).toBe('2026-11-21 06:30:00.500000000');
  expect(withNanoseconds('2026-11-21T06:30:00Z')).toBe('2026-11-21 06:30:00.000000000');
  expect(identityOf({ ...reading, timestamp: '2026-11-21 06:30:00.500000000' })).toEqual(identityOf(reading));
  expect(identityOf({ ...reading, value: -0 })).toEqual(identityOf({ ...reading, value: 0 }));
});

test.each([
  { cellar: 'demo2' },
  { rack: 's' },
  { keg: 'l' },
  { value: 1.5 + 2 ** -50 },
  { timestamp: '2026-11-21T06:30:00.500000001Z' },
])('%j makes it another reading', (change) => {
  expect(identityOf({ ...reading, ...change })).not.toEqual(identityOf(reading));
});
