import { createTally, observeGauges } from '@cellarman/telemetry';
import type { Telemetry } from '@cellarman/telemetry';
import type { FollowedPosition } from './followed-position.ts';
import type { LookupSource } from './lookup.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];

/** The metrics and log lines of lookups and of the changes behind them. */
export function observeLookups(
  { meter, logger }: Pick<Telemetry, 'meter' | 'logger'>,
  position: FollowedPosition,
) {
  let cacheFails = false;
  let forgeryLogged = false;
  const lookups = createTally(
    meter,
    'cellarman_key_service_lookups',
    'Key lookups, by source of the result.',
  );
  const cells = {
    redis: lookups.cell({ source: 'redis' }),
    unknown: lookups.cell({ source: 'unknown' }),
    postgres: lookups.cell({ source: 'postgres' }),
  } satisfies Record<LookupSource, { value: number }>;
  const cacheErrors = createTally(
    meter,
    'cellarman_key_service_copy_errors',
    'Failed Redis commands of the key cache; PostgreSQL was used instead.',
  ).cell();
  const forged = createTally(
    meter,
    'cellarman_key_service_forged_cache_entries',
    'Cache entries in Redis that key-service did not write; PostgreSQL was used instead.',
  ).cell();
  const commands = meter.createHistogram('cellarman_key_service_redis_duration_seconds', {
    description: 'One Redis command of the key cache, successful or failed.',
    unit: 's',
    advice: { explicitBucketBoundaries: SECONDS },
  });

  observeGauges(meter, 'cellarman_key_service_changes_', {
    number: ['The number of the last change that this replica knows of.', () => position.current()?.number],
    age_seconds: [
      'Seconds since this replica last read changes from PostgreSQL.',
      () => (Number.isFinite(position.age()) ? position.age() / 1_000 : undefined),
    ],
  });

  return {
    onLookup: (source: LookupSource) => {
      cells[source].value += 1;
    },
    onCacheCommand: (durationMs: number) => commands.record(durationMs / 1_000),
    onCacheError: (error: unknown) => {
      cacheErrors.value += 1;
      if (!cacheFails)
        logger.warn({ err: error }, 'the key cache in Redis is unavailable, reading keys from PostgreSQL');
      cacheFails = true;
    },
    onForgedEntry: (error: unknown) => {
      forged.value += 1;
      if (!forgeryLogged) {
        logger.error(
          { err: error },
          'rejected a forged cache entry in Redis: another client writes there. Change the password of Redis.',
        );
      }
      forgeryLogged = true;
    },
    onCacheRecovered: () => {
      cacheFails = false;
      logger.info({}, 'the key cache in Redis is available again');
    },
  };
}
