/**
 * - `overloaded`: rejected before queueing, because a bound is reached; certainly not stored
 * - `deadline`: not acknowledged in time; it may still be stored
 * - `failed`: Kafka rejects this message for good
 * - `unavailable`: Kafka was not reached since the start; certainly not stored
 * - `closed`: the service is stopping
 */
export type PublishErrorCode = 'overloaded' | 'deadline' | 'failed' | 'unavailable' | 'closed';

export class PublishError extends Error {
  override readonly name = 'PublishError';
  readonly code: PublishErrorCode;
  /** False when the message was certainly not handed to Kafka. */
  readonly maybeStored: boolean;

  constructor(code: PublishErrorCode, message: string, options: { maybeStored: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.code = code;
    this.maybeStored = options.maybeStored;
  }
}
