import type { Response } from './verdict.ts';

/** What the responses say about the rate limit of the key. */
export interface Rate {
  note(headers: Response['headers']): void;
  /** How many of `wanted` readings may be sent now, or how long to wait. */
  allowance(wanted: number): { readings: number } | { waitMs: number };
  /** How long a lane pauses that may use only a share of the rate, after sending `readings`. 0: the rate is unknown. */
  pauseMs(readings: number, share: number): number;
}

/** Of the IETF draft: `"api-key";r=5;t=1`. */
const POLICY = /;q=(\d+);w=(\d+)/;
const LIMIT = /;r=(\d+)(?:;t=(\d+))?/;

export function createRate(now: () => number = () => performance.now()): Rate {
  let perMs = 0;
  let burst = Infinity;
  let left = Infinity;
  let waitMs = 0;
  let at = 0;

  return {
    note(headers) {
      const [, q, w] = POLICY.exec(headers.get('ratelimit-policy') ?? '') ?? [];
      const [, r, t] = LIMIT.exec(headers.get('ratelimit') ?? '') ?? [];
      if (q !== undefined && w !== undefined && Number(w) > 0) {
        burst = Number(q);
        perMs = burst / (Number(w) * 1_000);
      }
      left = r === undefined ? Infinity : Number(r);
      waitMs = t === undefined ? 0 : Number(t) * 1_000;
      at = now();
    },
    allowance(wanted) {
      const passedMs = now() - at;
      const available = Math.floor(Math.min(burst, left + passedMs * perMs));
      if (left === Infinity || available >= wanted) return { readings: wanted };
      // At a low rate, a request a second rather than one for each reading.
      const least = Math.min(wanted, burst, Math.max(1, Math.floor(perMs * 1_000)));
      if (available >= least) return { readings: available };
      if (perMs > 0) return { waitMs: Math.ceil((least - available) / perMs) };
      return passedMs >= waitMs ? { readings: wanted } : { waitMs: waitMs - passedMs };
    },
    pauseMs: (readings, share) => (perMs === 0 ? 0 : readings / (perMs * share)),
  };
}
