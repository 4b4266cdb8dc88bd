import { afterAll, beforeAll } from 'vitest';
import { createKafkaProducer, createLanes } from '../src/index.ts';
import type { KafkaConnection, Lanes, ProducerPort } from '../src/index.ts';
import { startKafkaCluster } from './kafka-cluster.ts';
import type { KafkaCluster } from './kafka-cluster.ts';
import { connectTo, createTestTopic } from './test-topic.ts';

export interface LanesToOneBroker {
  cluster: KafkaCluster;
  connection: KafkaConnection;
  topic: string;
  lanes: Lanes;
}

/** A broker that the tests of one file may hurt, and lanes to it. What it gives is there when the tests run. */
export function lanesToOneBroker(limits: { maxInFlightBytes: number; deadlineMs: number }): LanesToOneBroker {
  const made = {} as LanesToOneBroker;
  let producer: ProducerPort;

  beforeAll(async () => {
    made.cluster = await startKafkaCluster(1);
    made.connection = connectTo(made.cluster.brokers);
    made.topic = await createTestTopic(made.connection);
    producer = createKafkaProducer({ connection: made.connection, topics: [made.topic] });
    await producer.connect();
    const { maxInFlightBytes, deadlineMs } = limits;
    made.lanes = createLanes({ producer, topic: made.topic, limits: { maxInFlightBytes }, deadlineMs });
  });

  afterAll(async () => {
    await made.lanes.close(1_000);
    await producer.disconnect();
    await made.cluster.stop();
  });
  return made;
}
