import { HEALTH_SLICES } from '@cellarman/key-service-client';
import { createRecentDurations, createTally, observeGauges } from '@cellarman/telemetry';
import type { RecentDurations } from '@cellarman/telemetry';
import { context } from '@opentelemetry/api';
import type { Meter } from '@opentelemetry/api';
import type { Consumption } from './consume/consume.ts';
import { createBehind } from './health/behind.ts';
import type { Behind } from './health/behind.ts';
import type { PartitionWatch } from './health/watch-partitions.ts';
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

/** Adds the gauges of a sink that consumes. Only one sink rolls up hours and verifies: the others have NaN. */
export function observeSink(
  meter: Meter,
  parts: {
    consumption: Consumption;
    retention: Pick<PolicyFollower, 'ageSeconds'>;
    rollup: Pick<HourlyRollup, 'ageSeconds'>;
    verification: Pick<HourVerification, 'ageSeconds' | 'findings'> | undefined;
    partitions: Pick<PartitionWatch, 'unreadShare'>;
  },
): void {
  const { consumption, retention, rollup, verification, partitions } = parts;
  observeGauges(meter, 'cellarman_sink_', {
    lag_messages: [
      'Messages in the topic that are not stored yet.',
      () => Array.from(consumption.lag(), ([partition, lag]) => [lag, { partition }] as const),
    ],
    oldest_unflushed_seconds: [
      'How long the oldest message in memory has waited to be stored.',
      () => consumption.stats().oldestMs / 1_000,
    ],
    gathered_messages: ['Messages that wait for the next insert.', () => consumption.stats().gathered],
    inserts_in_flight: ['Inserts in flight.', () => consumption.stats().inFlight],
    schema_error: [
      '1: the sink has stopped consuming, because rows are rejected that should be valid.',
      () => (consumption.hasFailed() ? 1 : 0),
    ],
    retention_policy_age_seconds: [
      'Time since the retention policy was last in step with key-service.',
      () => retention.ageSeconds(),
    ],
    hourly_counts_age_seconds: [
      'Time since the readings of every completed hour were counted. NaN: another sink counts them.',
      () => rollup.ageSeconds() ?? NaN,
    ],
    unread_share: [
      'Largest share of a partition that is not stored yet, of partitions from which Kafka deletes messages. NaN: unknown, or another sink observes it.',
      () => partitions.unreadShare() ?? NaN,
    ],
  });
  if (verification === undefined) return;
  observeGauges(meter, 'cellarman_sink_', {
    verification_age_seconds: [
      'Time since every completed hour of the last day was verified and checked in its interval. NaN: another sink verifies.',
      () => verification.ageSeconds() ?? NaN,
    ],
    mismatched_readings: [
      'Readings of the last day that are missing, duplicated or altered in ClickHouse. NaN: another sink verifies.',
      () => KINDS.map((kind) => [verification.findings()?.[kind] ?? NaN, { kind }] as const),
    ],
  });
}
