import { atOnce } from '../at-once.ts';
import { batchesOf } from './batches.ts';
import type { FileReading } from './file-reading.ts';
import { sendBatch } from './send-batch.ts';
import type { SendBatchOptions, Unsent } from './send-batch.ts';

export interface SendFileOptions extends SendBatchOptions {
  readings: AsyncIterable<FileReading>;
  /** Batches on their way at a time. With one, the order of the file is kept. */
  inFlight: number;
  onCount: (count: SendCount) => void;
  onUnsent: (unsent: Unsent) => Promise<void>;
}

export interface SendCount {
  acknowledged: number;
  /** For good. */
  rejected: number;
  /** Given up; they may be stored all the same. */
  failed: number;
}

/** Sends a file of any size: what is read ahead is one batch for each that is on its way. */
export async function sendFile(options: SendFileOptions): Promise<SendCount> {
  const { readings, inFlight, stop } = options;
  const count = { acknowledged: 0, rejected: 0, failed: 0 };
  options.onCount(count);
  await atOnce(batchesOf(readings), { most: inFlight, stop }, async (batch) => {
    const unsent = await sendBatch(batch, options);
    count.acknowledged += batch.length - unsent.length;
    for (const one of unsent) {
      count[one.retryable ? 'failed' : 'rejected'] += 1;
      await options.onUnsent(one);
    }
  });
  return count;
}
