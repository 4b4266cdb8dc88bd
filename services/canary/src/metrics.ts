import { createTally } from '@cellarman/telemetry';
import type { Meter } from '@opentelemetry/api';
import { STEPS } from './round-trip.ts';
import type { Step } from './round-trip.ts';

export interface CanaryMetrics {
  succeeded(seconds: number): void;
  failed(step: Step): void;
}

export function createMetrics(meter: Meter): CanaryMetrics {
  const roundTrip = meter.createHistogram('cellarman_canary_round_trip_seconds', {
    description: 'From posting a reading until it is read back.',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] },
  });
  const failures = createTally(
    meter,
    'cellarman_canary_failures',
    'Round trips that failed, by step: post (not acknowledged), read (query does not answer), find (not visible in time).',
  );
  // Made now, so that the first failure is a step up from zero.
  for (const step of STEPS) failures.cell({ step });
  return {
    succeeded: (seconds) => roundTrip.record(seconds),
    failed(step) {
      failures.cell({ step }).value += 1;
    },
  };
}
