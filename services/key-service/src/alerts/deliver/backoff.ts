const FIRST_SECONDS = 2;
const MAX_SECONDS = 3_600;

/** Returns the pause before the next attempt: twice as long after each one, jittered by half in both directions. */
export function backoffSeconds(attempts: number, random = Math.random()): number {
  const seconds = Math.min(FIRST_SECONDS * 2 ** (attempts - 1), MAX_SECONDS);
  return seconds * (0.5 + random);
}
