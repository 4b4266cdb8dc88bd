import { expect, test } from 'vitest';
import { runEach } from '../src/keys/bulk/run-each.ts';

test('runs all, several at a time, and keeps the order and the failures', async () => {
  const items = Array.from({ length: 20 }, (_, i) => i);
  let running = 0;
  let most = 0;
  const progress: number[] = [];
  const outcomes = await runEach(
    items,
    async (item) => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (item % 3 === 0) throw new Error(`not ${item}`);
      return item * 2;
    },
    (done) => progress.push(done),
  );
  expect(most).toBe(6);
  expect(progress).toEqual(items.map((i) => i + 1));
  expect(outcomes.map(({ item, result, error }) => [item, result ?? error?.message])).toEqual(
    items.map((i) => [i, i % 3 === 0 ? `not ${i}` : i * 2]),
  );
});
