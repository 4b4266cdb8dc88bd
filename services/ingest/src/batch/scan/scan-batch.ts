import { messageKey } from '@cellarman/contracts';
import type { MessageHeaders, ProducerMessage } from '@cellarman/kafka';
import type { CheckReading } from '../../validate/check-reading.ts';
import type { KnownKey } from '../../key-cache/known-key.ts';
import type { Charge } from '../../rate-limit/charge.ts';
import { BatchRejection } from '../batch-rejection.ts';
import type { BatchReader } from './batch-reader.ts';
import type { LineArena } from './line-arena.ts';
import type { RejectedReadings } from './rejected-readings.ts';
import type { YieldToEventLoop } from '../yield-to-event-loop.ts';

/** What was found in a batch. */
export interface ScannedBatch {
  /** Readings, valid and rejected. If the batch is malformed, those before the error. */
  count: number;
  /** The good ones, in their order. */
  messages: ProducerMessage[];
  /** Where in the batch each of them stands. */
  indexes: number[];
  /** Why the batch is rejected as a whole. */
  rejection: BatchRejection | undefined;
}

export interface ScanBatchOptions {
  /** Of the body, in bytes. */
  length: number;
  reader: BatchReader;
  key: KnownKey;
  checkReading: CheckReading;
  receivedMs: number;
  /** Of all messages. */
  headers: MessageHeaders;
  lines: LineArena;
  rejected: RejectedReadings;
  maxReadings: number;
  charge: Charge;
  yieldToEventLoop: YieldToEventLoop;
  monotonic?: () => number;
}

/** What is done in one turn of the event loop. Rejected readings take longer than others, so the time counts as well. */
const SLICE_BYTES = 65_536;
const SLICE_READINGS = 500;
const SLICE_MS = 1;
const READINGS_BETWEEN_LOOKS = 16;
/** Scanned before it is known whether the key can pay for them: a request to Redis would take about as long. */
const FIRST_SLICE_READINGS = 128;

/**
 * Validates each reading, and writes the messages of the valid ones. Never rejects for the content of the batch.
 *
 * @throws {RateExceeded} soon after the key cannot pay for what was found
 */
export async function scanBatch(options: ScanBatchOptions): Promise<ScannedBatch> {
  const { reader, charge, yieldToEventLoop } = options;
  const batch: ScannedBatch = { count: 0, messages: [], indexes: [], rejection: undefined };
  let untilCount = FIRST_SLICE_READINGS;
  try {
    while (scanSlice(batch, options, reader.position + SLICE_BYTES, untilCount)) {
      await chargeSlice(batch, options);
      await yieldToEventLoop();
      untilCount = Math.min(batch.count + SLICE_READINGS, Math.max(batch.count, charge.reach) + 1);
    }
    if (batch.count === 0 && reader.mayBeEmpty !== true) {
      batch.rejection = new BatchRejection('invalid_batch', 'The batch has no readings');
    }
  } catch (error) {
    if (!(error instanceof BatchRejection)) throw error;
    batch.rejection = error;
  }
  return batch;
}

/** Rejected readings cost more time than bytes, so they are paid for even when the batch turns out to be over the limit. */
async function chargeSlice({ count }: ScannedBatch, options: ScanBatchOptions): Promise<void> {
  const { length, reader, rejected, charge } = options;
  await charge.raiseTo(rejected.count);
  await charge.assertCanRaiseTo(count, Math.ceil((count * length) / reader.position));
}

/** Returns whether there is more. */
function scanSlice(
  batch: ScannedBatch,
  options: ScanBatchOptions,
  untilPosition: number,
  untilCount: number,
): boolean {
  const { reader, checkReading, receivedMs, headers, lines, rejected, maxReadings } = options;
  const { monotonic = () => performance.now() } = options;
  const untilMs = monotonic() + SLICE_MS;
  while (reader.position < untilPosition && batch.count < untilCount) {
    if (batch.count % READINGS_BETWEEN_LOOKS === 0 && monotonic() > untilMs) return true;
    const reading = reader.next();
    if (reading === undefined) return false;
    if (batch.count === maxReadings) {
      throw new BatchRejection('payload_too_large', `A batch must have at most ${maxReadings} readings`);
    }
    const index = batch.count++;
    const rejection = reading.ok ? checkReading(reading, options.key, receivedMs) : reading;
    if (rejection !== undefined) {
      rejected.add(
        reader.line ?? index,
        rejection.code,
        rejection.error,
        reading.ok ? reading.rack : undefined,
      );
    } else if (reading.ok) {
      const key = messageKey(reading.cellar, reading.rack);
      batch.messages.push({ key, value: lines.add(reader.bytes, reading), headers });
      batch.indexes.push(index);
    }
  }
  return true;
}
