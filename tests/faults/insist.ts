import { setTimeout as delay } from 'node:timers/promises';

/** Goes on for a minute until it is done: a user clicks again while key-service is away. */
export async function insist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const deadline = performance.now() + 60_000; ;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(100);
    }
  }
}
