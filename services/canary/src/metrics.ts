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
  const roundTrips = createTally(
    meter,
    'cellarman_canary_round_trips',
    'Round trips: success, or the step that failed: post (not acknowledged), read (no response from query), find (not visible in time).',
  );
  const success = roundTrips.cell({ outcome: 'success' });
  // Made now, so that the first failure is a step up from zero, also for a canary that never succeeds.
  for (const step of STEPS) roundTrips.cell({ outcome: step });
  return {
    succeeded(seconds) {
      roundTrip.record(seconds);
      success.value += 1;
    },
    failed(step) {
      roundTrips.cell({ outcome: step }).value += 1;
    },
  };
}
