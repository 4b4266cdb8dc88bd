/** How far the committed offsets are behind the end of each partition, as far as this sink knows it. */
export interface Lag {
  begin(start: ReadonlyMap<number, bigint>): void;
  fetched(partition: number, end: number): void;
  committed(offsets: ReadonlyMap<number, number>): void;
  byPartition(): ReadonlyMap<number, number>;
}

export function createLag(): Lag {
  const next = new Map<number, number>();
  const ends = new Map<number, number>();

  return {
    begin(start) {
      next.clear();
      ends.clear();
      for (const [partition, offset] of start) next.set(partition, Number(offset));
    },
    fetched(partition, end) {
      ends.set(partition, end);
    },
    committed(offsets) {
      for (const [partition, offset] of offsets) next.set(partition, offset);
    },
    byPartition: () =>
      new Map(
        [...next].map(([partition, offset]) => [
          partition,
          Math.max(0, (ends.get(partition) ?? offset) - offset),
        ]),
      ),
  };
}
