import type { ClickHouse } from '@cellarman/clickhouse';
import { ProduceError } from '@cellarman/kafka';
import type { BadRow, Batch } from '../batch/batch.ts';
import type { PublishDeadLetters } from '../dead-letter/publish-dead-letters.ts';
import { insertBatch } from './insert-batch.ts';
import { RowCountMismatch } from './insert-lines.ts';
import { rejectedLine } from '../dead-letter/rejected-line.ts';
import { retryUntilDone } from '@cellarman/concurrency';
import { SchemaFault } from '../batch/bad-row-streak.ts';
import type { Streak } from '../batch/bad-row-streak.ts';

export interface StoredBatch {
  rows: number;
  deadLetters: number;
  /** Why the first dead letter is one. */
  firstReason: string | undefined;
}

/** Called when a step has to wait for the other side. */
export type OnWaiting = (
  step: 'insert' | 'dead-letter',
  error: unknown,
  attempt: number,
  delayMs: number,
) => void;

/**
 * Stores a batch: good rows into ClickHouse, then bad ones to the dead letters. When it resolves, the offsets of the batch
 * may be committed. It waits for ClickHouse and Kafka as long as they are unreachable.
 *
 * A crash between the steps loses nothing, because nothing is committed before both are done. Steps that are repeated then show
 * once: rows by their identity in the view, dead letters by the partition and offset in their headers.
 *
 * @throws {SchemaFault} when waiting does not help
 * @throws {RowCountMismatch} when ClickHouse and the sink do not agree what a row is
 * @throws {ProduceError} of code `invalid`, or any other error, when it is a bug of ours
 */
export function createBatchStore(options: {
  clickhouse: ClickHouse;
  publishDeadLetters: PublishDeadLetters;
  streak: Streak;
  onWaiting: OnWaiting;
  onStored: (batch: Batch, stored: StoredBatch, seconds: number) => void;
}): (batch: Batch, signal: AbortSignal) => Promise<StoredBatch> {
  const { clickhouse, publishDeadLetters, onWaiting, onStored } = options;
  let { streak } = options;

  return async (batch, signal) => {
    const begun = performance.now();
    const outcome = await retryUntilDone(() => insertBatch(clickhouse, batch, { streak, signal }), {
      signal,
      isFinal: (error) => error instanceof SchemaFault || error instanceof RowCountMismatch,
      onRetry: (error, attempt, delayMs) => onWaiting('insert', error, attempt, delayMs),
    });
    streak = outcome.streak;

    const rejected = outcome.rejected.map(({ row, reason }): BadRow => rejectedLine(batch, row, reason));
    const bad = [...batch.bad, ...rejected];
    if (bad.length > 0) {
      await retryUntilDone(() => publishDeadLetters(bad), {
        signal,
        // An error that is not Kafka's is a bug of ours.
        isFinal: (error) => !(error instanceof ProduceError) || error.code === 'invalid',
        onRetry: (error, attempt, delayMs) => onWaiting('dead-letter', error, attempt, delayMs),
      });
    }
    const stored = {
      rows: batch.rows - rejected.length,
      deadLetters: bad.length,
      firstReason: bad[0]?.reason,
    };
    onStored(batch, stored, (performance.now() - begun) / 1_000);
    return stored;
  };
}
