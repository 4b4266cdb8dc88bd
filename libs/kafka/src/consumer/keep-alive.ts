/**
 * Runs `work` and sends heartbeats meanwhile, for as long as it takes. Resolves, after `work` has ended, with the
 * error of the heartbeat that ended the membership, if one did; what `work` does then no longer matters.
 */
export async function keepAlive(
  work: () => void | Promise<void>,
  options: {
    heartbeat: () => Promise<void>;
    intervalMs: number;
    /** Whether a failed heartbeat means that the membership has ended. Others are retried. */
    isFinal: (error: unknown) => boolean;
    onFinal: () => void;
  },
): Promise<unknown> {
  let final: unknown;
  const beat = (): void => {
    options.heartbeat().catch((error: unknown) => {
      if (final !== undefined || !options.isFinal(error)) return;
      final = error;
      options.onFinal();
    });
  };
  const timer = setInterval(beat, options.intervalMs);
  try {
    await work();
  } catch (error) {
    if (final === undefined) throw error;
  } finally {
    clearInterval(timer);
  }
  return final;
}
