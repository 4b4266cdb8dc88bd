import { FAIR_SHARE_RESERVE } from '../config.ts';
import { createFairShare } from './fair-share.ts';

/**
 * Bytes of memory that all request bodies share. They are reserved before the first byte is read, so that no number of
 * clients can make the process hold more than the bound. A key that announces more than its part cannot use up what the
 * others need: see `FairShare`.
 */
export interface ByteBudget {
  /**
   * @param owner the key that the body came with
   * @returns false when there is no room; then nothing is reserved, and the response must be 503
   */
  reserve(owner: string, bytes: number): boolean;
  /** Releases what `reserve` granted; call it once. */
  release(owner: string, bytes: number): void;
  readonly reservedBytes: number;
}

export function createByteBudget({ maxBytes }: { maxBytes: number }): ByteBudget {
  const share = createFairShare();
  /** What one key alone may have. The rest is the reserve for the others. */
  const limit = maxBytes / (1 + FAIR_SHARE_RESERVE);
  return {
    reserve(owner, bytes) {
      if (!share.hasRoom(owner, limit, bytes)) return false;
      share.take(owner, bytes);
      return true;
    },
    release: (owner, bytes) => share.release(owner, bytes),
    get reservedBytes() {
      return share.taken;
    },
  };
}
