import { setTimeout as delay } from 'node:timers/promises';

export interface LoopOptions {
  /** @returns milliseconds until it is to be done again, if not `intervalMs` */
  work: (signal: AbortSignal) => Promise<number> | Promise<void>;
  /** The pause between two runs, also after a failure. */
  intervalMs: number;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** The log message of a failure, once per outage. */
  failed: string;
  /** The log message of the first success after a failure. */
  recovered?: string;
  /** Whether a further failure of the same outage is logged too. */
  isNews?: (error: unknown) => boolean;
  onFailure?: (error: unknown) => void;
  /** How long `stop` waits for work that is in progress. @default until it ends */
  stopMs?: number;
}

interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface Loop {
  /** Ends the pause, or skips the one after the work that is in progress. */
  wake: () => void;
  /** Aborts the signal of the work and waits for its end. Never rejects. */
  stop: () => Promise<void>;
}

/** Does the work immediately and then again and again, one run at a time. */
export function startLoop(options: LoopOptions): Loop {
  const { work, intervalMs, logger, failed, recovered, isNews, onFailure, stopMs } = options;
  const stopped = new AbortController();
  const { signal } = stopped;
  const isStopped = () => signal.aborted;
  let isFailing = false;
  let wake = () => {};

  /** Returns the pause that follows. */
  async function run(): Promise<number> {
    try {
      const pauseMs = await work(signal);
      if (isFailing && recovered !== undefined) logger.info({}, recovered);
      isFailing = false;
      return typeof pauseMs === 'number' ? pauseMs : intervalMs;
    } catch (error) {
      if (isStopped()) return 0;
      if (isNews?.(error) === true || !isFailing) logger.warn({ err: error }, failed);
      isFailing = true;
      onFailure?.(error);
      return intervalMs;
    }
  }

  async function repeat(): Promise<void> {
    while (!isStopped()) {
      // Created before the work, so that a wake-up in between is not lost.
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const pauseMs = await run();
      if (isStopped()) return;
      const timer = setTimeout(wake, pauseMs);
      await woken;
      clearTimeout(timer);
    }
  }

  const running = repeat();
  return {
    wake: () => wake(),
    async stop() {
      stopped.abort();
      wake();
      await Promise.race([
        running,
        ...(stopMs === undefined ? [] : [delay(stopMs, undefined, { ref: false })]),
      ]);
    },
  };
}
