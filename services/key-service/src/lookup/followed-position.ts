import type { Position } from '../changes/epoch.ts';

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

    /** Starts a pull. Call the returned function with the position in the database. */
    beginPull() {
      const beganAt = clock();
      const before = position;
      return (pulled: Position) => {
        pulledAt = beganAt;
        // A commit came in between, which the result may not include.
        if (position !== before && isBehind(pulled, position)) return;
        // Otherwise the database is right, also when it went back in time.
        position = pulled;
      };
    },

    /** This replica itself has committed a change: from now on nothing older counts. */
    committed(own: Position) {
      if (isBehind(position, own)) position = own;
    },
  };
}

function isBehind(position: Position | undefined, other: Position | undefined): boolean {
  if (position === undefined || other === undefined) return false;
  return position.epoch !== other.epoch || position.number < other.number;
}

export type FollowedPosition = ReturnType<typeof createFollowedPosition>;
