import { expect, test } from 'vitest';
import { createLimiter } from '../src/index.ts';

/** Work that ends when the test ends it, in the order of its start. */
function createSlowWork() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const rejected: string[] = [];
  const { run } = createLimiter({ running: 1, waiting: 4, evicts: true });
  const pending: Promise<void>[] = [];
  return {
    started,
    rejected,
    begin(owner: string, name: string) {
      const work = () =>
        new Promise<void>((resolve) => {
          started.push(name);
          ends.push(resolve);
        });
      pending.push(run({ owner }, work).catch(() => void rejected.push(name)));
    },
    async endAll() {
      await new Promise((resolve) => setImmediate(resolve));
      for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
        end();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await Promise.all(pending);
    },
  };
}

test('owners are served round-robin', async () => {
  const work = createSlowWork();
  for (const name of ['a1', 'a2', 'a3', 'a4']) work.begin('a', name);
  work.begin('b', 'b1');
  await work.endAll();
  expect(work.started).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  expect(work.rejected).toEqual([]);
});

test('when the queue is full, the owner with the longest queue loses its newest request', async () => {
  const work = createSlowWork();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) work.begin('a', name);
  for (const name of ['b1', 'b2', 'b3']) work.begin('b', name);
  await work.endAll();
  expect(work.started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  expect(work.rejected.toSorted()).toEqual(['a4', 'a5', 'a6', 'b3']);
});

test('a failure releases the slot', async () => {
  const { run } = createLimiter({ running: 1, waiting: 1 });
  const failed = run({ owner: 'a' }, () => Promise.reject(new Error('failed')));
  const next = run({ owner: 'a' }, () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('failed');
  expect(await next).toBe('done');
});

test('an owner that has used up its slots does not hold back others', async () => {
  const limiter = createLimiter({ running: 2, runningPerOwner: 1 });
  const release = await limiter.acquire({ owner: 'a' });
  const second = limiter.acquire({ owner: 'a' });
  (await limiter.acquire({ owner: 'b' }))();
  expect([limiter.running(), limiter.waiting()]).toEqual([1, 1]);
  release();
  release();
  (await second)();
  expect([limiter.running(), limiter.waiting()]).toEqual([0, 0]);
});

test('limits the concurrent work, one piece for each owner, and serves the waiting owners round-robin', async () => {
  const limiter = createLimiter({ running: 2, runningPerOwner: 1 });
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const run = (owner: string) =>
    limiter.run({ owner }, () => {
      begun.push(owner);
      return new Promise<void>((resolve) => void finish.push(resolve));
    });
  const all = ['flood', 'flood', 'flood', 'flood', 'good', 'other', 'good'].map(run);
  for (let n = 0; n < all.length; n++) {
    await expect.poll(() => finish.length).toBeGreaterThan(n);
    const working = begun.slice(n);
    expect(working.length).toBeLessThanOrEqual(2);
    expect(new Set(working).size).toBe(working.length);
    finish[n]?.();
  }
  await Promise.all(all);
  expect(begun).toEqual(['flood', 'good', 'flood', 'other', 'good', 'flood', 'flood']);
});

test('gives the slot of work that failed to the next', async () => {
  const limiter = createLimiter({ running: 1, runningPerOwner: 1 });
  const failed = limiter.run({ owner: 'a' }, () => Promise.reject(new Error('broken')));
  const next = limiter.run({ owner: 'b' }, () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
  expect(await limiter.run({ owner: 'a' }, () => Promise.resolve('again'))).toBe('again');
});
