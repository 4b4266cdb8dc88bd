import { createHistogram } from 'node:perf_hooks';

/* Figures of the last seconds, for people. Prometheus has the history. */

export interface RecentDurations {
  record(milliseconds: number): void;
  /** Begins the next slice of time. The oldest one is dropped. */
  advance(): void;
  /** Returns null when nothing was recorded within the window. */
  percentiles(): { p50: number; p99: number } | null;
}

/** Two figures are exact; longer durations count as the longest. */
const OPTIONS = { lowest: 1, highest: 600_000_000, figures: 2 };

/** @param slices how many slices of time the window has */
export function createRecentDurations(slices: number): RecentDurations {
  const ring = Array.from({ length: slices }, () => createHistogram(OPTIONS));
  const sum = createHistogram(OPTIONS);
  let newest = 0;

  return {
    record(milliseconds) {
      const microseconds = Math.round(milliseconds * 1_000);
      ring[newest]?.record(Math.min(Math.max(microseconds, OPTIONS.lowest), OPTIONS.highest));
    },
    advance() {
      newest = (newest + 1) % slices;
      ring[newest]?.reset();
    },
    percentiles() {
      sum.reset();
      for (const slice of ring) sum.add(slice);
      if (sum.count === 0) return null;
      return { p50: sum.percentile(50) / 1_000, p99: sum.percentile(99) / 1_000 };
    },
  };
}

export interface RecentCounts<Name extends string> {
  /** Begins the next slice of time. The oldest one is dropped. */
  advance(): void;
  /** What was added within the window, and its length. */
  read(): { seconds: number; counts: Record<Name, number> };
}

/**
 * @param totals reads counters that only grow
 * @param slices how many slices of time the window has
 */
export function createRecentCounts<Name extends string>(
  totals: () => Record<Name, number>,
  slices: number,
  clock: { now(): number } = performance,
): RecentCounts<Name> {
  const marks = [{ at: clock.now(), totals: { ...totals() } }];

  return {
    advance() {
      marks.push({ at: clock.now(), totals: { ...totals() } });
      if (marks.length > slices) marks.shift();
    },
    read() {
      const now = totals();
      const since = marks[0] ?? { at: clock.now(), totals: now };
      const counts = Object.fromEntries(
        (Object.keys(now) as Name[]).map((name) => [name, now[name] - since.totals[name]]),
      ) as Record<Name, number>;
      return { seconds: (clock.now() - since.at) / 1_000, counts };
    },
  };
}
