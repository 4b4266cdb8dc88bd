import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** @default 120_000 */
  deadlineMs?: number;
  /** @default 50 */
  everyMs?: number;
  /** Whether a condition that throws counts as false. @default false */
  retriesErrors?: boolean;
}

/**
 * Polls a condition until it is neither false nor undefined, and returns its value.
 *
 * @throws when the deadline has passed; `what` says what was waited for
 */
export async function until<Value>(
  what: string,
  condition: () => Value | Promise<Value>,
  { deadlineMs = 120_000, everyMs = 50, retriesErrors = false }: UntilOptions = {},
): Promise<NonNullable<Value>> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    let cause: unknown;
    try {
      const value = await condition();
      if (value !== false && value !== undefined && value !== null) return value;
    } catch (error) {
      if (!retriesErrors) throw error;
      cause = error;
    }
    if (performance.now() > end) throw new Error(`Not within ${deadlineMs / 1000} s: ${what}`, { cause });
    await delay(everyMs);
  }
}
