import type { RatePolicy } from '../../src/rate-limit/rate-policy.ts';
import type { Lease, Leases } from '../../src/rate-limit/redis-leases.ts';

/** The shared bucket of one key, as the script in Redis keeps it, with a clock that the test moves. */
export function sharedBucket(clock: { now: number }) {
  let tokens: number | undefined;
  let at = clock.now;
  const leases: { wanted: number; unused: number }[] = [];
  const lease = (_keyId: string, policy: RatePolicy, wanted: number, unused: number): Promise<Lease> => {
    leases.push({ wanted, unused });
    const { burst, perSecond } = policy;
    tokens = Math.min(burst, (tokens ?? burst) + unused + ((clock.now - at) * perSecond) / 1_000);
    at = clock.now;
    const granted = Math.max(0, Math.min(wanted, Math.floor(tokens)));
    tokens -= granted;
    return Promise.resolve({
      granted,
      remaining: Math.floor(tokens),
      waitMs: tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 1_000) / perSecond),
    });
  };
  const leaseMore: Leases['leaseMore'] = (_keyId, policy, wanted, unused, needed, paid) => {
    leases.push({ wanted, unused });
    const { burst, perSecond } = policy;
    tokens = Math.min(burst, (tokens ?? burst) + unused + ((clock.now - at) * perSecond) / 1_000);
    at = clock.now;
    if (tokens < Math.min(needed, burst - paid)) {
      const waitMs = Math.ceil(((Math.min(needed + paid, burst) - tokens) * 1_000) / perSecond);
      return Promise.resolve({ taken: false, granted: 0, remaining: Math.floor(tokens), waitMs });
    }
    tokens -= needed;
    const granted = Math.max(0, Math.min(wanted, Math.floor(tokens)));
    tokens -= granted;
    return Promise.resolve({ taken: true, granted, remaining: Math.floor(tokens), waitMs: 0 });
  };
  return { leases, lease, leaseMore };
}
