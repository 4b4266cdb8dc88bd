import { expect, test } from 'vitest';
import { createBehind } from '../src/health/behind.ts';

test('the slowest insert of the last seconds counts, and then is forgotten', () => {
  let now = 0;
  const behind = createBehind({ now: () => now });
  expect(behind.milliseconds(undefined)).toBeNull();
  behind.stored(0.2);
  now = 5_000;
  behind.stored(0.1);
  expect(behind.milliseconds(undefined)).toBe(200);
  now = 12_000;
  expect(behind.milliseconds(undefined)).toBe(100);
  now = 40_000;
  expect(behind.milliseconds(undefined)).toBeNull();
  behind.stored(0.3);
  expect(behind.milliseconds(undefined)).toBe(300);
});

test('a reading that cannot be stored makes it grow', () => {
  const behind = createBehind({ now: () => 0 });
  behind.stored(0.2);
  expect(behind.milliseconds(7)).toBe(7_000);
  expect(behind.milliseconds(0.1)).toBe(200);
});
