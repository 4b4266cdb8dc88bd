import { expect, it } from 'vitest';
import { createByteBudget } from '../../src/shed-load/byte-budget.ts';

it('grants what fits, all or nothing, and again what was released', () => {
  // 100 for every owner, and 25 in reserve for owners below their share.
  const budget = createByteBudget({ maxBytes: 125 });
  expect(budget.reserve('a', 60)).toBe(true);
  expect(budget.reserve('a', 41)).toBe(false);
  expect(budget.reservedBytes).toBe(60);
  expect(budget.reserve('a', 40)).toBe(true);
  budget.release('a', 60);
  expect(budget.reservedBytes).toBe(40);
  expect(budget.reserve('a', 60)).toBe(true);
});

it('has room for others when one has taken all that one can have, and never more than there is', () => {
  const budget = createByteBudget({ maxBytes: 125 });
  expect(budget.reserve('flood', 100)).toBe(true);
  expect(budget.reserve('flood', 1)).toBe(false);
  expect(budget.reserve('good', 20)).toBe(true);
  expect(budget.reserve('another', 6)).toBe(false);
  expect(budget.reserve('another', 5)).toBe(true);
  expect(budget.reservedBytes).toBe(125);
  expect(budget.reserve('a third', 1)).toBe(false);
});
