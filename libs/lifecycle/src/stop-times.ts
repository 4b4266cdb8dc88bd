/** Of a stop's deadline, this much is kept for closing what the requests used. */
const CLOSE_MS = 3_000;
const LEAST_DRAIN_MS = 1_000;

/**
 * Divides the time of the stop of a process that serves HTTP, for `gracefulHttpStop`: requests in progress get what the
 * deadline leaves after the delay, less 3 s for closing, and at least 1 s.
 *
 * @param closeMs instead of the 3 s
 */
export function stopTimes(
  config: { DEREGISTRATION_DELAY_MS: number; SHUTDOWN_DEADLINE_MS: number },
  closeMs = CLOSE_MS,
): { deregistrationDelayMs: number; drainMs: number } {
  const { DEREGISTRATION_DELAY_MS: deregistrationDelayMs, SHUTDOWN_DEADLINE_MS: deadlineMs } = config;
  return {
    deregistrationDelayMs,
    drainMs: Math.max(LEAST_DRAIN_MS, deadlineMs - deregistrationDelayMs - closeMs),
  };
}
