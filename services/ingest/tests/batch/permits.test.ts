import { expect, it } from 'vitest';
import { createPermits } from '../../src/batch/permits.ts';

it('limits the concurrent work, one piece for each owner, and serves the waiting owners in turn', async () => {
  const permits = createPermits(2);
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const run = (owner: string) =>
    permits.run(owner, () => {
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

it('gives the slot of work that failed to the next', async () => {
  const permits = createPermits(1);
  const failed = permits.run('a', () => Promise.reject(new Error('broken')));
  const next = permits.run('b', () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
  expect(await permits.run('a', () => Promise.resolve('again'))).toBe('again');
});
