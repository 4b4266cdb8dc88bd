/** Limits how much work runs at a time. Those who wait get their slots round-robin by owner. */
export interface Permits {
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

export function createPermits(count: number): Permits {
  /** By owner, in the order in which the owners get a slot. */
  const waiting = new Map<string, (() => void)[]>();
  let free = count;

  function wait(owner: string): Promise<void> {
    return new Promise((resolve) => {
      const own = waiting.get(owner);
      if (own === undefined) waiting.set(owner, [resolve]);
      else own.push(resolve);
    });
  }

  function passOn(): void {
    for (const [owner, own] of waiting) {
      // To the end of the line: the others come first.
      waiting.delete(owner);
      own.shift()?.();
      if (own.length > 0) waiting.set(owner, own);
      return;
    }
    free++;
  }

  return {
    async run(owner, work) {
      if (free > 0) free--;
      else await wait(owner);
      try {
        return await work();
      } finally {
        passOn();
      }
    },
  };
}
