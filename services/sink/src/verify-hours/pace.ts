import { setTimeout as delay } from 'node:timers/promises';

/** Limits a rate on average: resolves when the units that were taken are allowed. */
export function createPace(perSecond: number, signal: AbortSignal): (units: number) => Promise<void> {
  let allowedAt = performance.now();
  return async (units) => {
    signal.throwIfAborted();
    const now = performance.now();
    allowedAt = Math.max(allowedAt, now) + (units / perSecond) * 1_000;
    await delay(allowedAt - now, undefined, { signal });
  };
}
