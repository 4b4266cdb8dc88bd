import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepAlive } from '../src/consumer/keep-alive.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function handler() {
  const work = Promise.withResolvers<undefined>();
  const onFinal = vi.fn(() => work.resolve(undefined));
  return { work, onFinal, isFinal: (error: unknown) => (error as Error).message === 'rebalance' };
}

it('sends heartbeats for as long as the work takes', async () => {
  const { work, onFinal, isFinal } = handler();
  const heartbeat = vi.fn(() => Promise.resolve());
  const done = keepAlive(() => work.promise, { heartbeat, intervalMs: 1_000, isFinal, onFinal });

  await vi.advanceTimersByTimeAsync(600_000);
  expect(heartbeat).toHaveBeenCalledTimes(600);
  work.resolve(undefined);

  expect(await done).toBeUndefined();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(heartbeat).toHaveBeenCalledTimes(600);
});

it('goes on after a heartbeat that was only lost', async () => {
  const { work, onFinal, isFinal } = handler();
  const heartbeat = vi.fn().mockRejectedValueOnce(new Error('connection')).mockResolvedValue(undefined);
  const done = keepAlive(() => work.promise, { heartbeat, intervalMs: 1_000, isFinal, onFinal });

  await vi.advanceTimersByTimeAsync(3_000);
  work.resolve(undefined);

  expect(await done).toBeUndefined();
  expect(onFinal).not.toHaveBeenCalled();
  expect(heartbeat).toHaveBeenCalledTimes(3);
});

it('notifies the work that the membership has ended, and returns why', async () => {
  const { work, onFinal, isFinal } = handler();
  const over = new Error('rebalance');
  const heartbeat = vi.fn(() => Promise.reject(over));
  const done = keepAlive(() => work.promise, { heartbeat, intervalMs: 1_000, isFinal, onFinal });

  await vi.advanceTimersByTimeAsync(1_000);

  expect(await done).toBe(over);
  expect(onFinal).toHaveBeenCalledOnce();
});

it('passes on the error of the work and stops', async () => {
  const { onFinal, isFinal } = handler();
  const broken = keepAlive(() => Promise.reject(new Error('insert failed')), {
    heartbeat: () => Promise.resolve(),
    intervalMs: 1_000,
    isFinal,
    onFinal,
  });

  await expect(broken).rejects.toThrow('insert failed');
  expect(vi.getTimerCount()).toBe(0);
});
