import { expect, it } from 'vitest';
import { createPutInOrder } from '../src/mqtt/put-in-order.ts';

const reading = (value: number) => ({ rack: 'r', keg: 'k', value });

it('stores what comes during a commit with the next one, in order', async () => {
  const commits: number[][] = [];
  const put = createPutInOrder({
    async put(readings) {
      commits.push(readings.map(({ value }) => value));
      await new Promise((resolve) => void setImmediate(resolve));
    },
  });
  const first = put([reading(1)]);
  await Promise.resolve();
  await Promise.all([first, put([reading(2), reading(3)]), put([reading(4)])]);
  expect(commits).toEqual([[1], [2, 3, 4]]);
});

it('stores nothing behind a message that was not stored', async () => {
  const stored: number[] = [];
  const put = createPutInOrder({
    async put(readings) {
      // As when a batch was sent in the meantime, and the spool has room again.
      if (readings.some(({ value }) => value === 1)) throw new Error('the spool is full');
      stored.push(...readings.map(({ value }) => value));
    },
  });
  const first = put([reading(1)]);
  await Promise.resolve();
  const results = await Promise.allSettled([first, put([reading(2)])]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(put([reading(3)])).rejects.toThrow('the spool is full');
  expect(stored).toEqual([]);
});
