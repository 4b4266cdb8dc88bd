import { setTimeout as delay } from 'node:timers/promises';

/** Asks until the answer is true. A question that fails counts as no; the last failure is told at the deadline. */
export async function poll(
  what: string,
  withinMs: number,
  ask: () => Promise<boolean>,
  { everyMs = 20 } = {},
): Promise<void> {
  const deadline = performance.now() + withinMs;
  let failure: unknown;
  while (performance.now() < deadline) {
    try {
      if (await ask()) return;
    } catch (error) {
      failure = error;
    }
    await delay(everyMs);
  }
  throw new Error(`Not within ${withinMs} ms: ${what}`, { cause: failure });
}
