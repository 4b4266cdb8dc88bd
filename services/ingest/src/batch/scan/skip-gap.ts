import { skipWhitespace } from '../../scan/scan-position.ts';
import { BatchRejection } from '../batch-rejection.ts';

/** Skipping this much takes less time than a slice of `scanBatch`. */
const MAX_WHITESPACE_BYTES = 65_536;

/**
 * Skips the whitespace between two readings. Megabytes of it compress to a few bytes, and would all be skipped in one turn of
 * the event loop.
 *
 * @throws {BatchRejection} when there is too much
 */
export function skipGap(bytes: Buffer, start: number, end: number): number {
  const position = skipWhitespace(bytes, start, Math.min(end, start + MAX_WHITESPACE_BYTES + 1));
  if (position - start > MAX_WHITESPACE_BYTES) {
    throw new BatchRejection(
      'invalid_batch',
      `A batch must have at most ${MAX_WHITESPACE_BYTES} bytes of whitespace in a row`,
    );
  }
  return position;
}
