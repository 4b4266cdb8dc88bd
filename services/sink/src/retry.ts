import { setTimeout as delay } from 'node:timers/promises';

export interface RetryOptions {
  /** Ends the waiting, by rejecting with its reason. */
  signal?: AbortSignal;
  /** True for errors that no waiting heals: they are thrown on. */
  isFinal?: (error: unknown) => boolean;
  /** Called before each pause. */
  onRetry: (error: unknown, attempt: number, delayMs: number) => void;
  /** @default 100 */
  firstDelayMs?: number;
  /** @default 5_000: back within seconds once the other side is back, however long it was away */
  maxDelayMs?: number;
}

/** Does the work until it succeeds, with growing, jittered pauses, and without an end of its own. */
export async function retryUntilDone<Result>(
  work: () => Promise<Result>,
  options: RetryOptions,
): Promise<Result> {
  const { signal, isFinal, onRetry, firstDelayMs = 100, maxDelayMs = 5_000 } = options;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (isFinal?.(error) === true) throw error;
      const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempt - 1, 16));
      const delayMs = Math.round(ceiling * (0.5 + Math.random() / 2));
      onRetry(error, attempt, delayMs);
      await delay(delayMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}
