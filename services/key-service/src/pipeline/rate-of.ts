/** A process that has just begun has no rates. */
const SHORTEST_WINDOW_SECONDS = 0.001;

/** Returns a count of a report as a rate per second. */
export function rateOf({ windowSeconds }: { windowSeconds: number }, count: number): number | null {
  return windowSeconds < SHORTEST_WINDOW_SECONDS ? null : count / windowSeconds;
}
