import type { Consumer } from 'kafkajs';
import { createKafkaClient } from '../client/kafka-connection.ts';
import type { ClientTiming, KafkaConnection } from '../client/kafka-connection.ts';
import { readAllCodecs } from './decompress.ts';

/** Bounds the memory: for each broker, at most one fetch response of maxBytes is in flight or being handled. */
export interface ConsumerLimits {
  /** Per fetch response of a broker. @default 8388608 */
  readonly maxBytes?: number;
  /** Per partition in a fetch response. A larger record is delivered anyway. @default 1048576 */
  readonly maxBytesPerPartition?: number;
  /** How long a broker waits for records before it returns an empty response. @default 500 */
  readonly maxWaitMs?: number;
  /** How many handlers may run concurrently, each for another partition. @default 32 */
  readonly partitionsAtOnce?: number;
}

export interface ConsumerTiming extends ClientTiming {
  /** After this time without a sign the group gives the partitions to others. @default 7000 */
  readonly sessionTimeoutMs?: number;
  /** @default 1500 */
  readonly heartbeatIntervalMs?: number;
  /** How long the group waits for its members when it rebalances. @default 15000 */
  readonly rebalanceTimeoutMs?: number;
  /** Without heartbeat and fetch for this long the consumer ends as stalled. @default 60000 */
  readonly stallTimeoutMs?: number;
}

export interface ConsumerClient {
  readonly consumer: Consumer;
  readonly heartbeatIntervalMs: number;
  /** Leaves the group and disconnects within a bounded time. Never rejects. */
  close(): Promise<void>;
}

const CLOSE_MS = 10_000;

export function openConsumerClient(options: {
  connection: KafkaConnection;
  groupId: string;
  limits: ConsumerLimits;
  timing: ConsumerTiming;
}): ConsumerClient {
  const { connection, groupId, limits, timing } = options;
  readAllCodecs();
  const client = createKafkaClient(connection, { requestTimeoutMs: 10_000, ...timing });
  const heartbeatIntervalMs = timing.heartbeatIntervalMs ?? 1_500;
  const consumer = client.kafka.consumer({
    groupId,
    allowAutoTopicCreation: false,
    sessionTimeout: timing.sessionTimeoutMs ?? 7_000,
    heartbeatInterval: heartbeatIntervalMs,
    rebalanceTimeout: timing.rebalanceTimeoutMs ?? 15_000,
    // New partitions are detected within this time, and the new leader when the old one hangs: kafkajs refreshes metadata after
    // an error response or a lost connection, but not after a timeout.
    metadataMaxAge: 10_000,
    maxBytes: limits.maxBytes ?? 8_388_608,
    maxBytesPerPartition: limits.maxBytesPerPartition ?? 1_048_576,
    // While everything is paused kafkajs sends one heartbeat per wait.
    maxWaitTimeInMs: limits.maxWaitMs ?? 500,
    retry: {
      retries: 8,
      initialRetryTime: 200,
      maxRetryTime: 2_000,
      factor: 0.2,
      multiplier: 2,
      // kafkajs would begin again with what it remembers. The supervisor's restart begins from the facts.
      restartOnFailure: () => Promise.resolve(false),
    },
  });
  return {
    consumer,
    heartbeatIntervalMs,
    close: async () => {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
      await Promise.race([consumer.disconnect().catch(() => undefined), timeout]);
      clearTimeout(timer);
      client.destroy();
    },
  };
}
