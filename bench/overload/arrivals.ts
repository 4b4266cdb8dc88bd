/**
 * The times at which requests are due, at an even rate from `startMs` on, whether or not the service keeps up: an open loop.
 * What waits in the generator because every connection is busy still counts from the time when it was due.
 */
export interface Arrivals {
  /** How many are due by now and not yet taken. */
  due(nowMs: number): number;
  /** Takes the one that has been due for longest, and tells since when. */
  take(): number;
  /** Forgets those that were due until now. */
  skip(nowMs: number): void;
  readonly taken: number;
}

export function createArrivals({
  startMs,
  perSecond,
  endMs,
}: {
  startMs: number;
  perSecond: number;
  endMs: number;
}): Arrivals {
  const everyMs = 1_000 / perSecond;
  const total = Math.floor((endMs - startMs) / everyMs);
  let taken = 0;
  return {
    due: (nowMs) => Math.min(total, Math.floor((nowMs - startMs) / everyMs)) - taken,
    take: () => startMs + taken++ * everyMs,
    skip(nowMs) {
      taken += this.due(nowMs);
    },
    get taken() {
      return taken;
    },
  };
}
