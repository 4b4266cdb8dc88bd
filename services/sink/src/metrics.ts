import { createTally } from '@cellarman/telemetry';
import type { Meter } from '@opentelemetry/api';
import type { PipelineStats } from './pipeline.ts';

export interface SinkMetrics {
  stored(batch: { rows: number; bytes: number; seconds: number }): void;
  deadLetters(count: number): void;
  retried(step: string): void;
}

/** What is read when Prometheus asks. */
export interface SinkGauges {
  pipeline(): PipelineStats;
  /** Messages behind the end of the topic that are not committed, by partition. */
  lag(): ReadonlyMap<number, number>;
  isFaulty(): boolean;
  retentionAgeSeconds(): number;
}

export function createMetrics(meter: Meter, gauges: SinkGauges): SinkMetrics {
  const rows = createTally(
    meter,
    'sink_rows_inserted',
    'Readings inserted into ClickHouse, repetitions included.',
  ).cell();
  const deadLetters = createTally(
    meter,
    'sink_dead_letters',
    'Messages published to the dead letters.',
  ).cell();
  const retries = createTally(meter, 'sink_retries', 'Steps that had to wait and were tried again.');
  const batchRows = meter.createHistogram('sink_batch_rows', {
    description: 'Readings in one insert.',
    advice: { explicitBucketBoundaries: [1, 10, 100, 500, 1_000, 5_000, 10_000, 25_000, 50_000, 100_000] },
  });
  const batchBytes = meter.createHistogram('sink_batch_bytes', {
    description: 'Bytes of readings in one insert.',
    advice: { explicitBucketBoundaries: [1e3, 1e4, 1e5, 5e5, 1e6, 5e6, 1e7, 3e7] },
  });
  const duration = meter.createHistogram('sink_store_duration_seconds', {
    description: 'From the start of an insert until its offsets can be committed.',
    advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] },
  });
  meter
    .createObservableGauge('sink_lag_messages', {
      description: 'Messages in the topic that are not stored yet.',
    })
    .addCallback((result) => {
      for (const [partition, lag] of gauges.lag()) result.observe(lag, { partition });
    });
  meter
    .createObservableGauge('sink_oldest_unflushed_seconds', {
      description: 'How long the oldest message in memory has waited to be stored.',
    })
    .addCallback((result) => result.observe(gauges.pipeline().oldestMs / 1_000));
  meter
    .createObservableGauge('sink_gathered_messages', {
      description: 'Messages that wait for the next insert.',
    })
    .addCallback((result) => result.observe(gauges.pipeline().gathered));
  meter
    .createObservableGauge('sink_inserts_in_flight', { description: 'Inserts under way.' })
    .addCallback((result) => result.observe(gauges.pipeline().inFlight));
  meter
    .createObservableGauge('sink_schema_fault', {
      description: '1: the sink has stopped consuming, because rows are refused that should be good.',
    })
    .addCallback((result) => result.observe(gauges.isFaulty() ? 1 : 0));
  meter
    .createObservableGauge('sink_retention_policy_age_seconds', {
      description: 'Time since the retention policy was last in step with key-service.',
    })
    .addCallback((result) => result.observe(gauges.retentionAgeSeconds()));

  return {
    stored(batch) {
      rows.value += batch.rows;
      batchRows.record(batch.rows);
      batchBytes.record(batch.bytes);
      duration.record(batch.seconds);
    },
    deadLetters(count) {
      deadLetters.value += count;
    },
    retried(step) {
      retries.cell({ step }).value += 1;
    },
  };
}
