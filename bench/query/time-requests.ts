import { percentile } from '../percentile.ts';

export interface Timings {
  p50: number;
  p99: number;
  count: number;
}

/** Sends the same request up to `times` times or for `seconds`, one after the other. Milliseconds until the last byte. */
export async function timeRequests(
  url: string,
  headers: Record<string, string>,
  { times, seconds }: { times: number; seconds: number },
): Promise<Timings> {
  const taken: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (taken.length < times && (performance.now() < end || taken.length === 0)) {
    const begun = performance.now();
    const response = await fetch(url, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url} returned ${response.status} ${text}`);
    taken.push(performance.now() - begun);
  }
  taken.sort((a, b) => a - b);
  return { p50: percentile(taken, 0.5), p99: percentile(taken, 0.99), count: taken.length };
}
