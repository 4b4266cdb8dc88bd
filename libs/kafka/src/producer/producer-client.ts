import type { PartitionMetadata } from 'kafkajs';
import { sendGuarded } from './acknowledgement-guard.ts';
import { createKafkaClient } from '../client/kafka-connection.ts';
import type { ClientTiming, KafkaConnection } from '../client/kafka-connection.ts';
import type { Compression } from './compress-records.ts';
import type { BaseOffsets, PartitionMessages } from './producer-port.ts';

export interface ProducerTiming extends ClientTiming {
  /** How long the leader waits for the replicas. Below requestTimeoutMs, so that its response arrives. @default 2500 */
  readonly acknowledgeTimeoutMs?: number;
  /** The longest that one send takes in all, connecting included. @default 4000 */
  readonly sendTimeoutMs?: number;
}

export interface ProducerClientOptions {
  readonly connection: KafkaConnection;
  readonly timing: ProducerTiming;
  readonly compression?: Compression | undefined;
  /** Called with what kafkajs knows about a topic whenever it sends. */
  readonly onMetadata: (topic: string, partitions: readonly PartitionMetadata[]) => void;
}

export interface ProducerClient {
  /** Resolves when every partition is acknowledged. Settles within sendTimeoutMs. */
  send(topic: string, batches: readonly PartitionMessages[]): Promise<BaseOffsets>;
  /** Waits for running sends at most sendTimeoutMs. Never rejects. */
  close(): Promise<void>;
}

/**
 * kafkajs refreshes on every error that says that its metadata is stale. A refresh by age would only add a way
 * to fail: it throws when any partition of the topic has no leader, also for the partitions that have one.
 */
const METADATA_MAX_AGE_MS = 24 * 60 * 60 * 1_000;

export function openProducerClient({
  connection,
  timing,
  compression = 'none',
  onMetadata,
}: ProducerClientOptions): ProducerClient {
  const acknowledgeTimeoutMs = timing.acknowledgeTimeoutMs ?? 2_500;
  const sendTimeoutMs = timing.sendTimeoutMs ?? 4_000;
  const client = createKafkaClient(connection, timing);
  const producer = client.kafka.producer({
    allowAutoTopicCreation: false,
    // kafkajs's idempotence loses data with concurrent sends and does not survive a leader kill.
    idempotent: false,
    metadataMaxAge: METADATA_MAX_AGE_MS,
    // The lanes repeat what failed, partition by partition. kafkajs would repeat the whole send.
    retry: { retries: 0, initialRetryTime: 100, maxRetryTime: 500, factor: 0.2, multiplier: 2 },
    createPartitioner: () => {
      let seen: readonly PartitionMetadata[] | undefined;
      return ({ topic, partitionMetadata, message }) => {
        if (partitionMetadata !== seen) {
          seen = partitionMetadata;
          onMetadata(topic, partitionMetadata);
        }
        return message.partition ?? 0;
      };
    },
  });
  const connected = producer.connect();
  connected.catch(() => undefined);

  async function produce(topic: string, batches: readonly PartitionMessages[]): Promise<BaseOffsets> {
    await connected;
    return sendGuarded(producer, topic, batches, { acknowledgeTimeoutMs, compression });
  }

  return {
    send: (topic, batches) => within(sendTimeoutMs, produce(topic, batches)),
    close: async () => {
      try {
        await within(sendTimeoutMs, producer.disconnect());
      } catch (error) {
        connection.logger.debug({ error: String(error) }, 'Kafka: producer connection closed');
      } finally {
        client.destroy();
      }
    },
  };
}

/** kafkajs bounds every request but not a whole send: connecting and fetching metadata add up. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`No response within ${ms} ms`);
      error.name = 'KafkaJSRequestTimeoutError';
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
