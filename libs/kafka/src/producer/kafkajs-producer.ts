import { startingAt } from '../client/kafka-connection.ts';
import type { KafkaConnection } from '../client/kafka-connection.ts';
import { isProtocolError, toProduceError } from '../client/kafkajs-error.ts';
import type { Compression } from './compress-records.ts';
import { openProducerClient } from './producer-client.ts';
import type { ProducerClient, ProducerTiming } from './producer-client.ts';
import { ProduceError } from './produce-error.ts';
import type { BaseOffsets, PartitionMessages, ProducerPort } from './producer-port.ts';
import { createTopicLayout } from './topic-layout.ts';
import type { PartitionReplicas } from './topic-layout.ts';

export interface KafkaProducerOptions {
  readonly connection: KafkaConnection;
  /** Every topic that will be sent to. */
  readonly topics: readonly string[];
  readonly timing?: ProducerTiming;
  /** @default 'none' */
  readonly compression?: Compression;
}

export interface KafkaProducer extends ProducerPort {
  /** Returns the replicas of a partition as of the last refresh of the metadata, which is every ten seconds. */
  replicas(topic: string, partition: number): PartitionReplicas | undefined;
}

/** One line per time while Kafka is away, however many sends fail. */
const REPORT_MS = 1_000;

/**
 * The producer port on kafkajs.
 *
 * Each leader has a kafkajs client of its own, so a broker that hangs delays no other. A client that got no response is
 * discarded: after a timeout kafkajs neither reconnects nor looks up the new leader until its metadata expires; replacing it
 * is the one recovery that covers all of its states.
 */
export function createKafkaProducer(options: KafkaProducerOptions): KafkaProducer {
  const { connection, topics, timing = {}, compression } = options;
  const layout = createTopicLayout({ connection, topics, timing });
  const clients = new Map<number | undefined, ProducerClient>();
  let opened = 0;
  let reportedAt = -Infinity;
  let disconnected = false;

  function clientOf(leader: number | undefined): ProducerClient {
    const existing = clients.get(leader);
    if (existing !== undefined) return existing;
    const client = openProducerClient({
      connection: startingAt(connection, opened++),
      timing,
      compression,
      onMetadata: (topic, partitions) => layout.learn(topic, partitions),
    });
    clients.set(leader, client);
    return client;
  }

  async function send(topic: string, batches: readonly PartitionMessages[]): Promise<BaseOffsets> {
    const partitions = batches.map(({ partition }) => partition);
    const first = partitions[0];
    if (first === undefined) return new Map();
    if (disconnected) {
      const error = { code: 'unreachable', retriable: false, partitions } as const;
      throw new ProduceError('The producer is disconnected', error);
    }
    const leader = layout.leaders(topic)?.[first];
    const client = clientOf(leader);
    try {
      return await client.send(topic, batches);
    } catch (error) {
      // Nothing was sent, so neither the client nor the leader is to blame.
      if (error instanceof ProduceError && error.code === 'invalid') throw error;
      // After an error response kafkajs has refreshed its metadata itself, so the client stays usable.
      if (!isProtocolError(error)) {
        if (clients.get(leader) === client) clients.delete(leader);
        void client.close();
      }
      layout.refreshSoon();
      const failure = toProduceError(error, partitions);
      report(failure, leader);
      throw failure;
    }
  }

  function report({ code, message, partitions }: ProduceError, leader: number | undefined): void {
    const now = performance.now();
    if (now - reportedAt < REPORT_MS) return;
    reportedAt = now;
    connection.logger.warn({ code, partitions, leader, broker: connection.brokers }, message);
  }

  return {
    connect: () => layout.start(),
    leaders: (topic) => layout.leaders(topic),
    replicas: (topic, partition) => layout.replicas(topic, partition),
    send,
    disconnect: async () => {
      disconnected = true;
      await layout.stop();
      await Promise.all([...clients.values()].map((client) => client.close()));
      clients.clear();
    },
  };
}
