/** The part of a full resource on top of the limit that only those may use who hold less than their share. */
const RESERVE = 0.25;

/**
 * Who may have a place when places are short. As long as there is room it is anybody's. When there is none, those who hold
 * less than an even share still get places out of a reserve, and whoever holds more waits until the others have had theirs:
 * max-min fairness, without a queue.
 */
export interface FairShare {
  /** @param limit places that are anybody's now */
  hasRoom(owner: string, limit: number): boolean;
  take(owner: string): void;
  giveBack(owner: string): void;
  readonly taken: number;
}

export function createFairShare(): FairShare {
  const heldBy = new Map<string, number>();
  let taken = 0;
  return {
    hasRoom(owner, limit) {
      if (taken < limit) return true;
      if (taken >= limit * (1 + RESERVE)) return false;
      const held = heldBy.get(owner) ?? 0;
      const owners = held === 0 ? heldBy.size + 1 : heldBy.size;
      return held < limit / owners;
    },
    take(owner) {
      taken++;
      heldBy.set(owner, (heldBy.get(owner) ?? 0) + 1);
    },
    giveBack(owner) {
      taken--;
      const held = (heldBy.get(owner) ?? 1) - 1;
      if (held === 0) heldBy.delete(owner);
      else heldBy.set(owner, held);
    },
    get taken() {
      return taken;
    },
  };
}
