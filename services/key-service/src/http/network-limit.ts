import { networksOf } from './networks-of.ts';

export interface NetworkLimitOptions {
  /** Requests a second of one IP address. */
  perSecond: number;
  /** Requests that one IP address may send in a burst. */
  burst: number;
  /** Milliseconds. */
  clock: () => number;
  /** @default 20_000 */
  maxNetworks?: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** A /56 gets twice as much as each /64 in it, a /48 four times. */
const PER_STEP = 2;

/**
 * Token buckets by network, in memory: a request beyond the limit costs no query. When there are too many, the network with the
 * oldest request is evicted.
 */
export function createNetworkLimit(options: NetworkLimitOptions) {
  const { perSecond, burst, clock, maxNetworks = 20_000 } = options;
  const buckets = new Map<string, Bucket>();

  function refilled(network: string, share: number, now: number): Bucket {
    const bucket = buckets.get(network);
    if (bucket === undefined) return { tokens: burst * share, at: now };
    const earned = ((now - bucket.at) / 1_000) * perSecond * share;
    return { tokens: Math.min(burst * share, bucket.tokens + earned), at: now };
  }

  return {
    /** Takes a token from each network of the IP address, or from none. @returns whether it could */
    take(address: string): boolean {
      const now = clock();
      const taken = networksOf(address).map((network, step) => ({
        network,
        bucket: refilled(network, PER_STEP ** step, now),
      }));
      if (taken.some(({ bucket }) => bucket.tokens < 1)) return false;
      for (const { network, bucket } of taken) {
        bucket.tokens -= 1;
        // Last in the order of the map.
        buckets.delete(network);
        buckets.set(network, bucket);
      }
      for (const network of buckets.keys()) {
        if (buckets.size <= maxNetworks) break;
        buckets.delete(network);
      }
      return true;
    },
  };
}
