import { setTimeout as delay } from 'node:timers/promises';
import { residentMiB } from '../cpu-time.ts';

/** The most resident memory of a process while `work` ran, in MiB, looked at once in a while. */
export async function withPeakMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; peakMiB: number }> {
  let peakMiB = 0;
  let isDone = false;
  const watch = (async () => {
    while (!isDone) {
      peakMiB = Math.max(peakMiB, await residentMiB(pid));
      await delay(100);
    }
  })();
  try {
    return { result: await work(), peakMiB };
  } finally {
    isDone = true;
    await watch;
  }
}
