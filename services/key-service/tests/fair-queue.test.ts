import { expect, test } from 'vitest';
import { createFairQueue } from '../src/passwords/fair-queue.ts';

/** Work that ends when the test ends it, in the order of its start. */
function createSlowWork() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const rejected: string[] = [];
  const run = createFairQueue({ maxRunning: 1, maxWaiting: 4 });
  const pending: Promise<void>[] = [];
  return {
    started,
    rejected,
    begin(network: string, name: string) {
      const work = () =>
        new Promise<void>((resolve) => {
          started.push(name);
          ends.push(resolve);
        });
      pending.push(run(network, work).catch(() => void rejected.push(name)));
    },
    async endAll() {
      for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
        end();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await Promise.all(pending);
    },
  };
}

test('networks take turns, whichever asked more often', async () => {
  const work = createSlowWork();
  for (const name of ['a1', 'a2', 'a3', 'a4']) work.begin('a', name);
  work.begin('b', 'b1');
  await work.endAll();
  expect(work.started).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  expect(work.rejected).toEqual([]);
});

test('when the queue is full, the network with the most in it loses its newest', async () => {
  const work = createSlowWork();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) work.begin('a', name);
  for (const name of ['b1', 'b2', 'b3']) work.begin('b', name);
  await work.endAll();
  expect(work.started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  expect(work.rejected.toSorted()).toEqual(['a4', 'a5', 'a6', 'b3']);
});

test('a failure ends its turn too', async () => {
  const run = createFairQueue({ maxRunning: 1, maxWaiting: 1 });
  const failed = run('a', () => Promise.reject(new Error('failed')));
  const next = run('a', () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('failed');
  expect(await next).toBe('done');
});
