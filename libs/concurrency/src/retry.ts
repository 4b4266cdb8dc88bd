import { setTimeout as delay } from 'node:timers/promises';

export interface RetryOptions {
  /** Ends the retries: rejects with its reason. */
  signal?: AbortSignal;
  /** True for errors that a retry cannot fix: they are thrown. */
  isFinal?: (error: unknown) => boolean;
  /** Attempts after which the last error is thrown. @default Infinity */
  attempts?: number;
  /** Called before each pause. */
  onRetry?: (error: unknown, attempt: number, delayMs: number) => void;
  /** @default 100 */
  firstDelayMs?: number;
  /** @default 5_000: it recovers within seconds, however long the outage was */
  maxDelayMs?: number;
}

/** Does the work until it succeeds, with exponential, jittered pauses. */
export async function retryUntilDone<Result>(
  work: () => Promise<Result>,
  options: RetryOptions,
): Promise<Result> {
  const { signal, isFinal, attempts = Infinity, onRetry, firstDelayMs = 100, maxDelayMs = 5_000 } = options;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= attempts || isFinal?.(error) === true) throw error;
      const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempt - 1, 16));
      const delayMs = Math.round(ceiling * (0.5 + Math.random() / 2));
      onRetry?.(error, attempt, delayMs);
      await delay(delayMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}
