import { percentile } from '../percentile.ts';

export interface Timings {
  p50: number;
  p99: number;
  count: number;
}

/** Asks one after the other, for so many times or so long, and takes milliseconds until the last byte. */
export async function ask(
  url: string,
  headers: Record<string, string>,
  { times, seconds }: { times: number; seconds: number },
): Promise<Timings> {
  const taken: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (taken.length < times && (performance.now() < end || taken.length === 0)) {
    const begun = performance.now();
    const answer = await fetch(url, { headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${url} answered ${answer.status} ${text}`);
    taken.push(performance.now() - begun);
  }
  taken.sort((a, b) => a - b);
  return { p50: percentile(taken, 0.5), p99: percentile(taken, 0.99), count: taken.length };
}
