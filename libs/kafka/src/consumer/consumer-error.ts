/**
 * - `offset_out_of_range`: the topic no longer has the next record to read; continuing would skip records
 * - `handler_failed`: the handler threw
 * - `crashed`: the client gave up
 * - `stalled`: the client shows no sign of life
 * - `not_assigned`: this consumer does not own the partition any more; drop what was read from it
 * - `commit_failed`: the commit was not confirmed; a later one covers it
 */
export type ConsumerErrorCode =
  'offset_out_of_range' | 'handler_failed' | 'crashed' | 'stalled' | 'not_assigned' | 'commit_failed';

export class ConsumerError extends Error {
  override readonly name = 'ConsumerError';
  readonly code: ConsumerErrorCode;
  /** Tells kafkajs, which may get this error from a handler, not to try again. */
  readonly retriable = false;

  constructor(code: ConsumerErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
