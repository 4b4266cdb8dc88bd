import { expect, test, vi } from 'vitest';
import { startLoop } from '../src/index.ts';

const TIMEOUT = { timeout: 10_000 };

function createLog() {
  const lines: string[] = [];
  const add = (_fields: object, message: string) => void lines.push(message);
  return { lines, logger: { info: add, warn: add } };
}

test('logs an outage once, and its end', async () => {
  const { lines, logger } = createLog();
  const results = [undefined, new Error('one'), new Error('two'), undefined, undefined];
  let runs = 0;
  const loop = startLoop({
    ...{ intervalMs: 1, logger, failed: 'failed', recovered: 'recovered' },
    async work() {
      const error = results[runs++];
      if (error !== undefined) throw error;
    },
  });
  await expect.poll(() => runs, TIMEOUT).toBeGreaterThan(4);
  await loop.stop();
  expect(lines).toEqual(['failed', 'recovered']);
});

test('a wake-up during the work skips the next pause', async () => {
  const { logger } = createLog();
  const ends: (() => void)[] = [];
  const loop = startLoop({
    ...{ intervalMs: 1_000_000, logger, failed: 'failed' },
    work: () => new Promise<void>((resolve) => void ends.push(resolve)),
  });
  loop.wake();
  ends[0]?.();
  await expect.poll(() => ends.length, TIMEOUT).toBe(2);
  const stopped = loop.stop();
  ends[1]?.();
  await stopped;
  expect(ends.length).toBe(2);
});

test('stop ends the pause, and does not log the work that it aborts', async () => {
  const { lines, logger } = createLog();
  const work = vi.fn((signal: AbortSignal) => {
    return new Promise<void>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('aborted'))),
    );
  });
  await startLoop({ work, intervalMs: 1_000_000, logger, failed: 'failed' }).stop();
  await startLoop({ work: async () => {}, intervalMs: 1_000_000, logger, failed: 'failed' }).stop();
  expect([work.mock.calls.length, lines]).toEqual([1, []]);
});

test('stop does not wait longer than stopMs for the work', async () => {
  const { logger } = createLog();
  const work = () => new Promise<void>(() => {});
  await startLoop({ work, intervalMs: 1, logger, failed: 'failed', stopMs: 1 }).stop();
});
