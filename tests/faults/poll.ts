import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks until the answer is not false or undefined, and gives it back.
 *
 * @throws when the deadline has passed; `what` says what was waited for
 */
export async function until<Answer>(
  what: string,
  condition: () => Answer | Promise<Answer>,
  { deadlineMs = 120_000, everyMs = 50 } = {},
): Promise<NonNullable<Answer>> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const answer = await condition();
    if (answer !== false && answer !== undefined && answer !== null) return answer;
    if (performance.now() > end) throw new Error(`Waited ${deadlineMs / 1000} s in vain: ${what}`);
    await delay(everyMs);
  }
}
