/**
 * Runs `work` and sends heartbeats meanwhile, for as long as it takes. Resolves with the error of the heartbeat
 * that ended the membership, if one did, after `work` has ended.
 */
export async function keepAlive(
  work: () => void | Promise<void>,
  options: {
    heartbeat: () => Promise<void>;
    intervalMs: number;
    /** Whether a failed heartbeat means that the membership is over. Others are tried again. */
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
  } finally {
    clearInterval(timer);
  }
  return final;
}
