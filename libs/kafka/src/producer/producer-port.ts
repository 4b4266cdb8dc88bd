export type MessageHeaders = Readonly<Record<string, string | Buffer>>;

export interface ProducerMessage {
  readonly key: string | Buffer;
  readonly value: Buffer;
  readonly headers?: MessageHeaders;
}

export interface PartitionMessages {
  readonly partition: number;
  readonly messages: readonly ProducerMessage[];
}

/** The offset of the first message of each partition of a send. The others follow it without gaps. */
export type BaseOffsets = ReadonlyMap<number, number>;

/** The broker id that leads each partition, by partition number; undefined while nobody leads it. */
export type PartitionLeaders = readonly (number | undefined)[];

/**
 * What this project needs from a Kafka producer, so that another client can take kafkajs's place.
 *
 * Every implementation keeps these promises:
 * - `send` resolves only when every partition in it is acknowledged by all in-sync replicas;
 * - otherwise it rejects with a `ProduceError` that names the partitions that were not acknowledged;
 * - `send` tries once: repeating is up to the caller, as the lanes do it;
 * - it settles within a bounded time, also when a broker hangs;
 * - it recovers by itself when the brokers come back;
 * - it creates no topics and leaves the record timestamp to the broker.
 */
export interface ProducerPort {
  /**
   * Resolves when the layout of every topic is known. Rejects when Kafka is unreachable now; it keeps trying in the background,
   * so a service may start without Kafka.
   */
  connect(): Promise<void>;
  /** The leaders of a topic as last seen; its length is the number of partitions. Undefined until known. */
  leaders(topic: string): PartitionLeaders | undefined;
  send(topic: string, batches: readonly PartitionMessages[]): Promise<BaseOffsets>;
  /** Waits for the running sends, then closes every connection. */
  disconnect(): Promise<void>;
}
