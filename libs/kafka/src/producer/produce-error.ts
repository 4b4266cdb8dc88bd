import type { BaseOffsets } from './producer-port.ts';

/**
 * - `unreachable`: no connection, or no leader at the moment
 * - `timed_out`: no response in time; the messages may be stored
 * - `not_enough_replicas`: fewer in-sync replicas than the topic's min.insync.replicas
 * - `not_acknowledged`: the client reported success, but not for these partitions
 * - `too_large`: the broker takes no batch of this size; a smaller one may pass
 * - `rejected`: the broker rejects these messages for good
 * - `invalid`: the input cannot be encoded as messages, and nothing was sent: a bug of the caller
 */
export type ProduceErrorCode =
  | 'unreachable'
  | 'timed_out'
  | 'not_enough_replicas'
  | 'not_acknowledged'
  | 'too_large'
  | 'rejected'
  | 'invalid';

/** A send, or the part of it that concerns `partitions`, was not acknowledged. */
export class ProduceError extends Error {
  override readonly name = 'ProduceError';
  readonly code: ProduceErrorCode;
  /** Whether the same send may succeed later. */
  readonly retriable: boolean;
  /** The partitions of the send that were not acknowledged. All others were. */
  readonly partitions: readonly number[];
  /** The offsets of those that were. */
  readonly acknowledged: BaseOffsets;

  constructor(
    message: string,
    options: {
      code: ProduceErrorCode;
      retriable: boolean;
      partitions: readonly number[];
      acknowledged?: BaseOffsets;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.code = options.code;
    this.retriable = options.retriable;
    this.partitions = options.partitions;
    this.acknowledged = options.acknowledged ?? new Map();
  }
}
