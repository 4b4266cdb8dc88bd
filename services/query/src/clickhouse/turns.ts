import { Refusal } from '@cellarman/http-api';

export interface TurnsOptions {
  atOnce: number;
  /** How many may wait. A page asks for several things at once, and each is over soon. */
  waiting: number;
  waitMs: number;
}

/** Lets so many work at once; a few others wait a little, and all beyond are sent away. */
export interface Turns {
  /**
   * @returns what ends the turn; it may be called twice
   * @throws {Refusal} `unavailable`
   */
  take(signal: AbortSignal): Promise<() => void>;
  running: () => number;
  waiting: () => number;
}

export function createTurns({ atOnce, waiting, waitMs }: TurnsOptions): Turns {
  const queue = new Set<() => void>();
  let running = 0;

  function endOnce(): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const [next] = queue;
      // Whoever waits longest gets the place.
      if (next === undefined) running -= 1;
      else next();
    };
  }

  return {
    running: () => running,
    waiting: () => queue.size,
    async take(signal) {
      signal.throwIfAborted();
      if (running < atOnce) {
        running += 1;
        return endOnce();
      }
      if (queue.size >= waiting) throw tooMany();
      return new Promise((resolve, reject) => {
        const leave = (reason: Error): void => {
          queue.delete(begin);
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          reject(reason);
        };
        const onAbort = (): void => leave(signal.reason as Error);
        const timer = setTimeout(() => leave(tooMany()), waitMs);
        const begin = (): void => {
          queue.delete(begin);
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          resolve(endOnce());
        };
        signal.addEventListener('abort', onAbort);
        queue.add(begin);
      });
    },
  };
}

function tooMany(): Refusal {
  return new Refusal('unavailable', 'Too many queries at once. Try again.');
}
