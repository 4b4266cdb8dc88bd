import { FAIR_SHARE_RESERVE } from '../config.ts';

/**
 * Who may have a place when places are short. As long as there is room it is anybody's. When there is none, those who hold
 * less than an even share still get places out of a reserve, and whoever holds more waits until the others have had theirs:
 * max-min fairness, without a queue.
 */
export interface FairShare {
  /**
   * @param limit places that are anybody's now
   * @param places that are wanted at once @default 1
   */
  hasRoom(owner: string, limit: number, places?: number): boolean;
  take(owner: string, places?: number): void;
  giveBack(owner: string, places?: number): void;
  readonly taken: number;
}

export function createFairShare(): FairShare {
  const heldBy = new Map<string, number>();
  let taken = 0;
  return {
    hasRoom(owner, limit, places = 1) {
      if (taken + places <= limit) return true;
      if (taken + places > limit * (1 + FAIR_SHARE_RESERVE)) return false;
      const held = heldBy.get(owner) ?? 0;
      const owners = held === 0 ? heldBy.size + 1 : heldBy.size;
      return held === 0 || held + places <= limit / owners;
    },
    take(owner, places = 1) {
      taken += places;
      heldBy.set(owner, (heldBy.get(owner) ?? 0) + places);
    },
    giveBack(owner, places = 1) {
      taken -= places;
      const held = (heldBy.get(owner) ?? 0) - places;
      if (held <= 0) heldBy.delete(owner);
      else heldBy.set(owner, held);
    },
    get taken() {
      return taken;
    },
  };
}
