import type { Meter } from '@opentelemetry/api';
import { createTally } from '@cellarman/telemetry';
import type { FollowedPosition } from '../changes/followed-position.ts';
import type { LookUpSource } from './look-up.ts';

/** The metrics of look-ups and of the changes behind them. */
export function observeLookUps(meter: Meter, position: FollowedPosition) {
  const lookUps = createTally(meter, 'key_service_look_ups', 'Look-ups of keys, by who answered.');
  const cells = {
    redis: lookUps.cell({ source: 'redis' }),
    unknown: lookUps.cell({ source: 'unknown' }),
    postgres: lookUps.cell({ source: 'postgres' }),
  } satisfies Record<LookUpSource, { value: number }>;
  const cacheErrors = createTally(
    meter,
    'key_service_copy_errors',
    'Commands to Redis that failed; PostgreSQL answered instead.',
  ).cell();

  meter
    .createObservableGauge('key_service_changes_number', {
      description: 'The number of the last change that this replica knows of.',
    })
    .addCallback((result) => {
      const current = position.current();
      if (current !== undefined) result.observe(current.number);
    });
  meter
    .createObservableGauge('key_service_changes_age_seconds', {
      description: 'Since when this replica could not ask PostgreSQL for changes.',
      unit: 's',
    })
    .addCallback((result) => {
      const age = position.age() / 1_000;
      if (Number.isFinite(age)) result.observe(age);
    });

  return {
    onAnswer: (source: LookUpSource) => {
      cells[source].value += 1;
    },
    onCacheError: () => {
      cacheErrors.value += 1;
    },
  };
}
