import { messageKey } from '@cellarman/contracts';
import type { GroupMessage } from '@cellarman/kafka';
import type { JudgeReading } from '../judge-reading.ts';
import type { KnownKey } from '../key-cache/known-key.ts';
import { BatchRefusal } from './batch-refusal.ts';
import type { BatchReader } from './batch-reader.ts';
import type { LineArena } from './line-arena.ts';
import type { RefusedReadings } from './refused-readings.ts';
import type { YieldTurn } from './turns.ts';

/** What was found in a batch. */
export interface ScannedBatch {
  /** Readings, good and refused. Where the batch is broken, those before the fault. */
  count: number;
  /** The good ones, in their order. */
  messages: GroupMessage[];
  /** Where in the batch each of them stands. */
  indexes: number[];
  /** Why the batch is refused as a whole. */
  refusal: BatchRefusal | undefined;
}

export interface ScanBatchOptions {
  body: Buffer;
  reader: BatchReader;
  key: KnownKey;
  judge: JudgeReading;
  receivedMs: number;
  lines: LineArena;
  refused: RefusedReadings;
  maxReadings: number;
  yieldTurn: YieldTurn;
}

/** Between two turns of the event loop: about a millisecond, two when all of it is refused. */
export const SLICE_BYTES = 131_072;

/** Judges each reading, and writes the messages of the good ones. Never rejects for what is in the batch. */
export async function scanBatch(options: ScanBatchOptions): Promise<ScannedBatch> {
  const { reader, yieldTurn } = options;
  const batch: ScannedBatch = { count: 0, messages: [], indexes: [], refusal: undefined };
  try {
    while (scanSlice(batch, options, reader.position + SLICE_BYTES)) await yieldTurn();
    if (batch.count === 0) batch.refusal = new BatchRefusal('invalid_batch', 'The batch has no readings');
  } catch (error) {
    if (!(error instanceof BatchRefusal)) throw error;
    batch.refusal = error;
  }
  return batch;
}

/** Answers whether there is more. */
function scanSlice(batch: ScannedBatch, options: ScanBatchOptions, until: number): boolean {
  const { body, reader, key, judge, receivedMs, lines, refused, maxReadings } = options;
  while (reader.position < until) {
    const reading = reader.next();
    if (reading === undefined) return false;
    if (batch.count === maxReadings) {
      throw new BatchRefusal('payload_too_large', `A batch must have at most ${maxReadings} readings`);
    }
    const index = batch.count++;
    const refusal = reading.ok ? judge(reading, key, receivedMs) : reading;
    if (refusal !== undefined) {
      refused.add(index, refusal.code, refusal.error);
    } else if (reading.ok) {
      batch.messages.push({ key: messageKey(reading.cellar, reading.rack), value: lines.add(body, reading) });
      batch.indexes.push(index);
    }
  }
  return true;
}
