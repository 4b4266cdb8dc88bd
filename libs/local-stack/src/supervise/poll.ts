import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats until the condition is true; false when the deadline has passed. */
export async function pollUntil(
  condition: () => boolean | Promise<boolean>,
  { deadlineMs, everyMs = 50 }: { deadlineMs: number; everyMs?: number },
): Promise<boolean> {
  const end = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > end) return false;
    await sleep(everyMs);
  }
  return true;
}
