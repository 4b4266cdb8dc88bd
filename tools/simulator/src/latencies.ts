/** Times in milliseconds, kept as counts in steps of 4 %, so that millions take no memory. */
export interface Latencies {
  add(ms: number): void;
  /** The time that the given share of all lies below, such as 0.99; 0 when there are none. */
  quantile(share: number): number;
}

const STEPS_PER_OCTAVE = 18;
const SHORTEST_MS = 0.01;
const STEPS = 24 * STEPS_PER_OCTAVE;

export function createLatencies(): Latencies {
  const counts = new Uint32Array(STEPS);
  let total = 0;
  return {
    add(ms) {
      const step = Math.floor(Math.log2(Math.max(ms, SHORTEST_MS) / SHORTEST_MS) * STEPS_PER_OCTAVE);
      const at = Math.min(step, STEPS - 1);
      counts[at] = (counts[at] ?? 0) + 1;
      total += 1;
    },
    quantile(share) {
      let below = 0;
      for (const [step, count] of counts.entries()) {
        below += count;
        if (count > 0 && below >= total * share) return SHORTEST_MS * 2 ** ((step + 1) / STEPS_PER_OCTAVE);
      }
      return 0;
    },
  };
}
