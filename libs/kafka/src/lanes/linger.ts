import type { PartitionQueue } from './partition-queue.ts';

export interface Linger {
  /** Whether the messages of a partition wait for more. Sees to it that they are considered again when they may no longer. */
  delays(queue: PartitionQueue, now: number): boolean;
}

/** As many messages of a partition that more of them hardly compress better: they do not wait any longer. */
export const ENOUGH_MESSAGES = 32;

/**
 * Lets a partition wait for up to `lingerMs` until it has enough messages to compress well.
 *
 * @param deadlineMs the deadline of a message, from when it was published
 * @param onElapsed called when a partition has waited that long
 */
export function createLinger(lingerMs: number, deadlineMs: number, onElapsed: () => void): Linger {
  let timer: NodeJS.Timeout | undefined;

  function elapsed(): void {
    timer = undefined;
    onElapsed();
  }

  return {
    delays: (queue, now) => {
      if (lingerMs === 0 || queue.waiting >= ENOUGH_MESSAGES) return false;
      const left = queue.firstDeadline - deadlineMs + lingerMs - now;
      if (left <= 0) return false;
      // A partition that is due earlier than the timer of another waits for that one: at most a linger longer.
      timer ??= setTimeout(elapsed, left);
      return true;
    },
  };
}
