import { ClickHouseException } from './clickhouse-exception.ts';

/**
 * Limits how many statements run concurrently, and how many wait for a slot. The bodies of waiting requests are not read, so
 * both limits together bound the memory of requests.
 */
export interface QuerySlots {
  /** Resolves to the function that gives the slot back; rejects when too many wait already. */
  acquire(signal: AbortSignal): Promise<() => void>;
  readonly running: number;
}

export function createQuerySlots(limits: { running: number; waiting: number }): QuerySlots {
  let running = 0;
  const waiting = new Set<() => void>();

  function release(): void {
    const [next] = waiting;
    if (next === undefined) running -= 1;
    else next();
  }

  function releaseOnce(): () => void {
    let held = true;
    return () => {
      if (held) release();
      held = false;
    };
  }

  return {
    get running() {
      return running;
    },
    acquire(signal) {
      if (running < limits.running) {
        running += 1;
        return Promise.resolve(releaseOnce());
      }
      if (waiting.size >= limits.waiting) {
        return Promise.reject(
          ClickHouseException.reject(
            'TOO_MANY_SIMULTANEOUS_QUERIES',
            `Too many simultaneous queries. ${limits.running} are running, ${limits.waiting} are waiting`,
          ),
        );
      }
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(start);
          reject(ClickHouseException.reject('ABORTED', 'The client left before its turn'));
        };
        const start = (): void => {
          waiting.delete(start);
          signal.removeEventListener('abort', leave);
          resolve(releaseOnce());
        };
        waiting.add(start);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
