import { FAIR_SHARE_RESERVE } from '../config.ts';

/**
 * Decides which owner gets a slot when slots are short. Below the limit every owner does. At the limit, owners with less than
 * an even share still get slots out of a reserve, and owners with more wait until the others have had theirs: max-min fairness,
 * without a queue.
 */
export interface FairShare {
  /**
   * @param limit slots that are open to every owner
   * @param slots slots wanted together @default 1
   */
  hasRoom(owner: string, limit: number, slots?: number): boolean;
  take(owner: string, slots?: number): void;
  release(owner: string, slots?: number): void;
  readonly taken: number;
}

export function createFairShare(): FairShare {
  const heldBy = new Map<string, number>();
  let taken = 0;
  return {
    hasRoom(owner, limit, slots = 1) {
      if (taken + slots <= limit) return true;
      if (taken + slots > limit * (1 + FAIR_SHARE_RESERVE)) return false;
      const held = heldBy.get(owner) ?? 0;
      const owners = held === 0 ? heldBy.size + 1 : heldBy.size;
      return held === 0 || held + slots <= limit / owners;
    },
    take(owner, slots = 1) {
      taken += slots;
      heldBy.set(owner, (heldBy.get(owner) ?? 0) + slots);
    },
    release(owner, slots = 1) {
      taken -= slots;
      const held = (heldBy.get(owner) ?? 0) - slots;
      if (held <= 0) heldBy.delete(owner);
      else heldBy.set(owner, held);
    },
    get taken() {
      return taken;
    },
  };
}
