export type ConsumerErrorCode =
  // The topic no longer has the next record to read; continuing would skip records.
  | 'offset_out_of_range'
  // The handler threw.
  | 'handler_failed'
  // The client gave up.
  | 'crashed'
  // The client shows no sign of life.
  | 'stalled'
  // This consumer does not own the partition any more; drop what was read from it.
  | 'not_assigned'
  // The commit was not confirmed; a later one covers it.
  | 'commit_failed';

export class ConsumerError extends Error {
  override readonly name = 'ConsumerError';
  readonly code: ConsumerErrorCode;
  /** Keeps kafkajs, which may get this error from a handler, from retrying. */
  readonly retriable = false;

  constructor(code: ConsumerErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
