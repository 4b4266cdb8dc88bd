/**
 * Bytes of memory that all request bodies share. They are reserved before the first byte is read, so that no number of
 * clients can make the process hold more than the bound.
 */
export interface ByteBudget {
  /**
   * @returns false when they do not fit now; then nothing is reserved, and the request is to be answered with 503
   */
  reserve(bytes: number): boolean;
  /** Gives back what `reserve` granted, once. */
  release(bytes: number): void;
  readonly reservedBytes: number;
}

export function createByteBudget({ maxBytes }: { maxBytes: number }): ByteBudget {
  let reserved = 0;
  return {
    reserve(bytes) {
      if (reserved + bytes > maxBytes) return false;
      reserved += bytes;
      return true;
    },
    release(bytes) {
      reserved -= bytes;
    },
    get reservedBytes() {
      return reserved;
    },
  };
}
