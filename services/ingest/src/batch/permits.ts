/** Limits how much work runs at a time: one piece for each owner, and `count` in all. Those who wait get their turn by owner. */
export interface Permits {
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

export function createPermits(count: number): Permits {
  /** By owner, in the order in which the owners get a permit. */
  const waiting = new Map<string, (() => void)[]>();
  const working = new Set<string>();

  function wait(owner: string): Promise<void> {
    return new Promise((resolve) => {
      const own = waiting.get(owner);
      if (own === undefined) waiting.set(owner, [resolve]);
      else own.push(resolve);
    });
  }

  /** Each completion admits at most one: a waiting owner is blocked by its own running work or by the total limit. */
  function startNext(): void {
    for (const [owner, own] of waiting) {
      if (working.has(owner)) continue;
      // To the end of the line: the others come first.
      waiting.delete(owner);
      working.add(owner);
      own.shift()?.();
      if (own.length > 0) waiting.set(owner, own);
      return;
    }
  }

  return {
    async run(owner, work) {
      if (working.size < count && !working.has(owner)) working.add(owner);
      else await wait(owner);
      try {
        return await work();
      } finally {
        working.delete(owner);
        startNext();
      }
    },
  };
}
