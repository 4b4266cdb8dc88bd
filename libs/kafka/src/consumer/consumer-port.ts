/** null is a header without a value. */
type ConsumedHeader = Buffer | string | null;

/** A name that occurs several times has a list. */
export type ConsumedHeaders = Readonly<Record<string, ConsumedHeader | ConsumedHeader[] | undefined>>;

/** A record as the client delivers it; handed on without copying. */
export interface ConsumedMessage {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: ConsumedHeaders;
  /** Decimal digits. */
  readonly offset: string;
  /** Milliseconds since 1970 in decimal digits; the broker's time for topics with LogAppendTime. */
  readonly timestamp: string;
  /**
   * Why this is not a record, but all of a record batch that cannot be decompressed: its compressed bytes are the value,
   * and its last offset is the offset.
   */
  readonly unreadable?: string;
}

/** Records of one partition in order, without a gap to the batch before it. */
export interface MessageBatch {
  readonly partition: number;
  readonly messages: readonly ConsumedMessage[];
  /** Where this batch began to read. */
  readonly firstOffset: bigint;
  /** What to commit when every message of this batch is done. */
  readonly nextOffset: bigint;
  /** The end of the partition when this batch was fetched; its distance to nextOffset is the lag. */
  readonly highWatermark: bigint;
}

/** The partitions that this consumer owns until `signal` is aborted. */
export interface Assignment {
  /** Where reading begins, by partition. */
  readonly start: ReadonlyMap<number, bigint>;
  /**
   * Aborted as soon as a rebalance or stop() is known. What was read and not committed will be read again,
   * by this or another consumer: drop it, and return from running handlers soon.
   */
  readonly signal: AbortSignal;
}

export interface ConsumerHandler {
  /** Before the first batch of an assignment. */
  onAssigned?(assignment: Assignment): void | Promise<void>;
  /**
   * Called with one batch at a time per partition. Waiting here is backpressure, for this partition and for the others of the
   * same broker: the next fetch is sent when all batches of the last response are handled. The membership is kept alive
   * meanwhile, for as long as it takes. An error ends the consumer.
   */
  onBatch(batch: MessageBatch, assignment: Assignment): void | Promise<void>;
  /** After an assignment has ended, when none of its handlers runs any more, and before the next one. */
  onRevoked?(assignment: Assignment): void | Promise<void>;
}

export interface ConsumerPort {
  /** Joins the group. Rejects when that fails. */
  start(): Promise<void>;
  /**
   * Resolves after stop(). Rejects with a `ConsumerError` when the consumer ended by itself. It never restarts by itself: exit,
   * and let the supervisor restart the process.
   */
  readonly done: Promise<void>;
  /**
   * Commits, by partition, the offset to read next: one more than the last message that is done. Rejects with a
   * `ConsumerError` of code `not_assigned` when a partition has been revoked, and `commit_failed` otherwise.
   */
  commit(nextOffsets: ReadonlyMap<number, bigint>): Promise<void>;
  /** The offset that is delivered next; undefined for partitions that are not assigned. */
  position(partition: number): bigint | undefined;
  /** Stops fetching these partitions; the membership stays. Ends with the assignment. */
  pause(partitions: Iterable<number>): void;
  resume(partitions: Iterable<number>): void;
  /** Delivers nothing more and waits for running handlers. Flush and commit after it, then stop(). */
  quiesce(): Promise<void>;
  /** Leaves the group and disconnects. */
  stop(): Promise<void>;
}
