import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 500;

/** Asks until it is done, or fails with what it waited for. */
export async function waitFor(what: string, withinMs: number, isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs / 1_000} s: ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}
