import { HEALTH_SLICES } from '@cellarman/key-service-client';
import { createRecentDurations, createTally } from '@cellarman/telemetry';
import type { RecentDurations } from '@cellarman/telemetry';
import { context } from '@opentelemetry/api';
import type { Meter } from '@opentelemetry/api';
import type { Consumption } from './consume/consume.ts';
import { createBehind } from './health/behind.ts';
import type { Behind } from './health/behind.ts';
import type { PolicyFollower } from './retention/follow-policy.ts';
import type { HourlyRollup } from './hourly-rollup/hourly-rollup.ts';
import { KINDS } from './verify-hours/hour-report.ts';
import type { HourVerification } from './verify-hours/verify-hours.ts';

/** What can have to wait for the other side. */
const STEPS = ['insert', 'dead-letter'] as const;

export interface SinkMetrics {
  /** @param batch.ageSeconds of its oldest reading; undefined when it has none */
  stored(batch: { rows: number; bytes: number; seconds: number; ageSeconds: number | undefined }): void;
  deadLetters(count: number): void;
  retried(step: (typeof STEPS)[number]): void;
  /** Counters that only grow. */
  totals(): { stored: number; deadLetters: number };
  /** From the start of an insert until its offsets can be committed, lately. */
  storeTimes: RecentDurations;
  behind: Behind;
}

export function createMetrics(meter: Meter): SinkMetrics {
  const rows = createTally(
    meter,
    'cellarman_sink_rows_inserted',
    'Readings inserted into ClickHouse, repetitions included.',
  ).cell();
  const deadLetters = createTally(
    meter,
    'cellarman_sink_dead_letters',
    'Messages published to the dead letters.',
  ).cell();
  const retries = createTally(
    meter,
    'cellarman_sink_retries',
    'Steps that had to wait and were tried again.',
  );
  // Made now, so that the first time is a step up from zero.
  for (const step of STEPS) retries.cell({ step });
  const batchRows = meter.createHistogram('cellarman_sink_batch_rows', {
    description: 'Readings in one insert.',
    advice: { explicitBucketBoundaries: [1, 10, 100, 500, 1_000, 5_000, 10_000, 25_000, 50_000, 100_000] },
  });
  const batchBytes = meter.createHistogram('cellarman_sink_batch_bytes', {
    description: 'Bytes of readings in one insert.',
    advice: { explicitBucketBoundaries: [1e3, 1e4, 1e5, 5e5, 1e6, 5e6, 1e7, 3e7] },
  });
  const duration = meter.createHistogram('cellarman_sink_store_duration_seconds', {
    description: 'From the start of an insert until its offsets can be committed.',
    advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] },
  });
  const freshness = meter.createHistogram('cellarman_sink_freshness_seconds', {
    description: 'From the receipt of the oldest reading of an insert by ingest until it can be queried.',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800] },
  });

  const storeTimes = createRecentDurations(HEALTH_SLICES);
  const behind = createBehind();

  return {
    totals: () => ({ stored: rows.value, deadLetters: deadLetters.value }),
    storeTimes,
    behind,
    stored(batch) {
      rows.value += batch.rows;
      batchRows.record(batch.rows);
      batchBytes.record(batch.bytes);
      // That of the insert, which links to the readings' own. Looked up once for a batch.
      const trace = context.active();
      duration.record(batch.seconds, undefined, trace);
      storeTimes.record(batch.seconds * 1_000);
      if (batch.ageSeconds === undefined) return;
      freshness.record(batch.ageSeconds, undefined, trace);
      behind.stored(batch.ageSeconds);
    },
    deadLetters(count) {
      deadLetters.value += count;
    },
    retried(step) {
      retries.cell({ step }).value += 1;
    },
  };
}

/** Adds the gauges, which are read at each scrape. */
export function observeSink(
  meter: Meter,
  { consumption, retention }: { consumption: Consumption; retention: Pick<PolicyFollower, 'ageSeconds'> },
): void {
  meter
    .createObservableGauge('cellarman_sink_lag_messages', {
      description: 'Messages in the topic that are not stored yet.',
    })
    .addCallback((result) => {
      for (const [partition, lag] of consumption.lag()) result.observe(lag, { partition });
    });
  meter
    .createObservableGauge('cellarman_sink_oldest_unflushed_seconds', {
      description: 'How long the oldest message in memory has waited to be stored.',
    })
    .addCallback((result) => result.observe(consumption.stats().oldestMs / 1_000));
  meter
    .createObservableGauge('cellarman_sink_gathered_messages', {
      description: 'Messages that wait for the next insert.',
    })
    .addCallback((result) => result.observe(consumption.stats().gathered));
  meter
    .createObservableGauge('cellarman_sink_inserts_in_flight', { description: 'Inserts under way.' })
    .addCallback((result) => result.observe(consumption.stats().inFlight));
  meter
    .createObservableGauge('cellarman_sink_schema_error', {
      description: '1: the sink has stopped consuming, because rows are rejected that should be good.',
    })
    .addCallback((result) => result.observe(consumption.isFaulty() ? 1 : 0));
  meter
    .createObservableGauge('cellarman_sink_retention_policy_age_seconds', {
      description: 'Time since the retention policy was last in step with key-service.',
    })
    .addCallback((result) => result.observe(retention.ageSeconds()));
}

/** Only the sink that counts has the number. Where nothing is observed, the SDK would repeat the last one. */
export function observeHourlyCounts(meter: Meter, counts: Pick<HourlyRollup, 'ageSeconds'>): void {
  meter
    .createObservableGauge('cellarman_sink_hourly_counts_age_seconds', {
      description:
        'Time since the readings of every hour that had ended were counted. NaN: another sink counts them.',
    })
    .addCallback((result) => result.observe(counts.ageSeconds() ?? NaN));
}

/** Only the sink that verifies has the numbers. */
export function observeVerification(
  meter: Meter,
  verification: Pick<HourVerification, 'ageSeconds' | 'findings'>,
): void {
  meter
    .createObservableGauge('cellarman_sink_verification_age_seconds', {
      description:
        'Time since every completed hour of the last day was verified and checked in its interval. NaN: another sink verifies.',
    })
    .addCallback((result) => result.observe(verification.ageSeconds() ?? NaN));
  meter
    .createObservableGauge('cellarman_sink_mismatched_readings', {
      description:
        'Readings of the last day that are missing, duplicated or altered in ClickHouse. NaN: another sink verifies.',
    })
    .addCallback((result) => {
      for (const kind of KINDS) result.observe(verification.findings()?.[kind] ?? NaN, { kind });
    });
}
