/** @param sorted from the smallest to the largest */
export function percentile(sorted: ArrayLike<number>, part: number): number {
  return sorted[Math.min(Math.ceil(sorted.length * part), sorted.length) - 1] ?? Number.NaN;
}
