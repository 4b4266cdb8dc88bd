import type { ReadingFields } from '@cellarman/verification';

export interface RackDifference {
  cellar: string;
  rack: string;
  topic: { count: number; sum: number };
  view: { count: number; sum: number };
}

type Side = 'topic' | 'view';

/** Count and sum of the values of each rack, on both sides. Each identity is to be added once. */
export interface RackSums {
  add(side: Side, reading: ReadingFields): void;
  /** Racks whose counts or sums differ. */
  differences(): RackDifference[];
}

/** Doubles are added in another order on each side; what differs by less than this is the same sum. */
const SUM_TOLERANCE = 1e-9;

export function createRackSums(): RackSums {
  const racks = new Map<string, RackDifference & { magnitude: number }>();

  return {
    add(side, { cellar, rack, value }) {
      const id = `${cellar}/${rack}`;
      let sums = racks.get(id);
      if (sums === undefined) {
        sums = { cellar, rack, topic: { count: 0, sum: 0 }, view: { count: 0, sum: 0 }, magnitude: 0 };
        racks.set(id, sums);
      }
      sums[side].count += 1;
      sums[side].sum += value;
      sums.magnitude += Math.abs(value);
    },
    differences: () =>
      [...racks.values()]
        .filter(
          ({ topic, view, magnitude }) =>
            topic.count !== view.count || Math.abs(topic.sum - view.sum) > magnitude * SUM_TOLERANCE,
        )
        .map(({ cellar, rack, topic, view }) => ({ cellar, rack, topic, view })),
  };
}
