import type { ByteBudget } from '../shed-load/byte-budget.ts';

/** What one batch has reserved of the budget of all bodies, besides the body as it was sent. */
export interface Reservation {
  /** Reserves more bytes. Returns false, and reserves nothing, when there is no room. */
  grow(bytes: number): boolean;
  /** Releases some of them. */
  shrink(bytes: number): void;
  /** Gives everything back. */
  release(): void;
}

/** @param owner the key that the batch came with */
export function openReservation(budget: ByteBudget, owner: string): Reservation {
  let held = 0;
  function shrink(bytes: number): void {
    held -= bytes;
    budget.release(owner, bytes);
  }
  return {
    grow(bytes) {
      if (!budget.reserve(owner, bytes)) return false;
      held += bytes;
      return true;
    },
    shrink,
    release: () => shrink(held),
  };
}
