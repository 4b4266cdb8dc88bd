import { createTally } from '@cellarman/telemetry';
import type { Meter } from '@opentelemetry/api';
import type { Leases } from './redis-leases.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];

/** Measures each lease. A request leases only when its key has few tokens left here, so leases are rare. */
export function observeLeases(meter: Meter, leases: Leases): Leases {
  const duration = meter.createHistogram('cellarman_ingest_redis_duration_seconds', {
    description: 'One request to Redis for tokens of a rate limit, successful or failed.',
    unit: 's',
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const failures = createTally(
    meter,
    'cellarman_ingest_redis_failures',
    'Requests to Redis that failed; this replica limits by itself for a second.',
  ).cell();

  async function timed<Result>(request: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    try {
      return await request();
    } catch (error) {
      failures.value += 1;
      throw error;
    } finally {
      duration.record((performance.now() - begun) / 1_000);
    }
  }

  return {
    lease: (...lease) => timed(() => leases.lease(...lease)),
    leaseMore: (...lease) => timed(() => leases.leaseMore(...lease)),
    close: () => leases.close(),
  };
}
