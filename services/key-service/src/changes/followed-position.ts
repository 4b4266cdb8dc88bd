import type { Position } from './epoch.ts';

/**
 * How far this replica has followed the changes.
 *
 * A copy of a key counts only if it includes everything up to here, so the number may be too high for a moment but
 * never too low.
 */
export function createFollowedPosition(options: {
  /** Milliseconds that only go forward. */
  clock: () => number;
  /** After how long without a pull nothing that is copied counts. */
  maxAgeMs: number;
}) {
  const { clock, maxAgeMs } = options;
  let position: Position | undefined;
  let pulledAt = -Infinity;

  return {
    /** Nothing before the first pull, and when the last one is too long ago. */
    current: (): Position | undefined => (clock() - pulledAt <= maxAgeMs ? position : undefined),

    /** Milliseconds since the last pull that succeeded began. */
    age: () => clock() - pulledAt,

    /** Starts a pull. Call what it gives with the position that the database answered. */
    beginPull() {
      const beganAt = clock();
      const before = position;
      return (pulled: Position) => {
        pulledAt = beganAt;
        // Less than was known before the question: the database went back in time, and it is the truth.
        const wentBack = before?.epoch === pulled.epoch && pulled.number < before.number;
        const ahead = position?.epoch === pulled.epoch && position.number > pulled.number;
        if (wentBack || !ahead) position = pulled;
      };
    },

    /** This replica itself has committed the change with this number: from now on nothing older counts. */
    committed(number: number) {
      if (position !== undefined && position.number < number) position = { ...position, number };
    },
  };
}

export type FollowedPosition = ReturnType<typeof createFollowedPosition>;
