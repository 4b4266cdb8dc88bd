import { expect, it } from 'vitest';
import { createByteBudget } from '../src/byte-budget.ts';

it('grants what fits, all or nothing, and again what was given back', () => {
  const budget = createByteBudget({ maxBytes: 100 });
  expect(budget.reserve(60)).toBe(true);
  expect(budget.reserve(41)).toBe(false);
  expect(budget.reservedBytes).toBe(60);
  expect(budget.reserve(40)).toBe(true);
  budget.release(60);
  expect(budget.reservedBytes).toBe(40);
  expect(budget.reserve(60)).toBe(true);
});
