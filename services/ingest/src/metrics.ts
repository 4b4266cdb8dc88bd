import { ERROR_CATALOGUE, ERROR_CODES } from '@cellarman/contracts';
import type { ProduceErrorCode, SendReport } from '@cellarman/kafka';
import { HEALTH_SLICES } from '@cellarman/key-service-client';
import { createRecentDurations, createTally } from '@cellarman/telemetry';
import type { RecentDurations, TallyCell } from '@cellarman/telemetry';
import type { Context, Meter } from '@opentelemetry/api';
import type { Outcome } from './http/responses.ts';

export interface IngestMetrics {
  responded: (outcome: Outcome) => void;
  /** Rejected because more comes than can be stored. */
  shed: () => void;
  /** What became of the readings of a batch. */
  batch: (accepted: number, rejected: number) => void;
  /** @param context of its trace, if it is recorded. @param readings in one batch */
  acknowledged: (durationMs: number, context?: Context, readings?: number) => void;
  sent: (report: SendReport) => void;
  /** Counters that only grow. */
  totals: () => { accepted: number; rejected: number; failed: number };
  /** From the receipt of a reading to its acknowledgement, lately. */
  acknowledgeTimes: RecentDurations;
}

const SEND_FAILURES: Record<ProduceErrorCode, true> = {
  unreachable: true,
  timed_out: true,
  not_enough_replicas: true,
  not_acknowledged: true,
  too_large: true,
  rejected: true,
  invalid: true,
};
const isFailure = (code: (typeof ERROR_CODES)[number]) => ERROR_CATALOGUE[code].status >= 500;
const FAILURES: readonly Outcome[] = ERROR_CODES.filter(isFailure);
/** Of whole requests. The rejected readings of batches are counted by themselves. */
const REJECTIONS: readonly Outcome[] = ['unauthorized', ...ERROR_CODES.filter((code) => !isFailure(code))];
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createMetrics(meter: Meter): IngestMetrics {
  const responses = createTally(
    meter,
    'cellarman_ingest_responses',
    'Responses: success, unauthorized or an error code.',
  );
  const outcomes: Outcome[] = ['success', 'partial', 'rejected', 'unauthorized', ...ERROR_CODES];
  // Fetched once: a request adds one to a number.
  const cells = Object.fromEntries(
    outcomes.map((outcome) => [outcome, responses.cell({ outcome })]),
  ) as Record<Outcome, TallyCell>;
  const shed = createTally(meter, 'cellarman_ingest_shed', 'Requests rejected by load shedding.').cell();
  const failedSends = createTally(
    meter,
    'cellarman_ingest_kafka_send_failures',
    'Sends that Kafka did not acknowledge.',
  );
  // Made now, so that the first failure is a step up from zero.
  for (const code of Object.keys(SEND_FAILURES)) failedSends.cell({ code });
  // 0.15 µs per reading, measured; labels would cost four times that.
  const acknowledge = meter.createHistogram('cellarman_ingest_acknowledge_duration_seconds', {
    description: 'From the receipt of a reading to its acknowledgement by all in-sync replicas.',
    unit: 's',
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const sendDuration = meter.createHistogram('cellarman_ingest_kafka_send_duration_seconds', {
    description: 'One send to Kafka.',
    unit: 's',
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const sendMessages = meter.createHistogram('cellarman_ingest_kafka_send_messages', {
    description: 'Readings in one send to Kafka.',
    advice: { explicitBucketBoundaries: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_000] },
  });

  const batchReadings = createTally(
    meter,
    'cellarman_ingest_batch_readings',
    'Readings received in batches.',
  );
  const accepted = batchReadings.cell({ outcome: 'accepted' });
  const rejected = batchReadings.cell({ outcome: 'rejected' });
  const acknowledgeTimes = createRecentDurations(HEALTH_SLICES);
  let acknowledgedReadings = 0;
  const sumOf = (codes: readonly Outcome[]) => codes.reduce((sum, code) => sum + cells[code].value, 0);

  return {
    batch(acceptedReadings, rejectedReadings) {
      accepted.value += acceptedReadings;
      rejected.value += rejectedReadings;
    },
    responded(outcome) {
      cells[outcome].value += 1;
    },
    shed() {
      shed.value += 1;
    },
    acknowledged(durationMs, context, readings = 1) {
      acknowledgedReadings += readings;
      acknowledgeTimes.record(durationMs);
      acknowledge.record(durationMs / 1_000, undefined, context);
    },
    totals: () => ({
      accepted: acknowledgedReadings,
      rejected: sumOf(REJECTIONS) + rejected.value,
      failed: sumOf(FAILURES),
    }),
    acknowledgeTimes,
    sent({ messages, durationMs, error }) {
      sendDuration.record(durationMs / 1_000);
      sendMessages.record(messages);
      if (error !== undefined) failedSends.cell({ code: error.code }).value += 1;
    },
  };
}
