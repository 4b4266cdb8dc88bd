/** Lets so many work at a time; the others wait in line. */
export interface Permits {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createPermits(count: number): Permits {
  const waiting: (() => void)[] = [];
  let free = count;

  return {
    async run(work) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => void waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free++;
        else next();
      }
    },
  };
}
