import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKafkaProducer, createTopicAdmin, readRange } from '../src/index.ts';
import type { KafkaConnection } from '../src/index.ts';
import { startKafkaCluster } from './kafka-cluster.ts';
import type { KafkaCluster } from './kafka-cluster.ts';
import { connectTo, createTestTopic } from './test-topic.ts';

/* A broker that wants TLS and a user, as those that are bought do. */

let cluster: KafkaCluster;

beforeAll(async () => {
  cluster = await startKafkaCluster(1, { isSecured: true });
}, 120_000);

afterAll(() => cluster.stop());

function connection(change: Partial<KafkaConnection> = {}): KafkaConnection {
  const { brokers, certificate, username, password } = cluster.secured;
  return {
    ...connectTo(brokers),
    tls: { ca: certificate },
    sasl: { mechanism: 'scram-sha-512', username, password },
    ...change,
  };
}

async function sendAndRead(way: KafkaConnection): Promise<string[]> {
  const topic = await createTestTopic(way, { partitions: 1 });
  const producer = createKafkaProducer({ connection: way, topics: [topic] });
  await producer.connect();
  try {
    // The leader of a topic that was just made may need a moment.
    await expect
      .poll(
        () =>
          producer
            .send(topic, [{ partition: 0, messages: [{ key: 'k', value: Buffer.from('reading') }] }])
            .then(() => 'sent', String),
        { timeout: 30_000 },
      )
      .toBe('sent');
  } finally {
    await producer.disconnect();
  }
  const values: string[] = [];
  for await (const { messages } of readRange({ connection: way, topic, from: 'start', to: 'end' })) {
    values.push(...messages.map(({ value }) => String(value)));
  }
  return values;
}

describe('a broker with TLS and users', () => {
  it.each(['plain', 'scram-sha-512'] as const)('takes and gives messages over %s', async (mechanism) => {
    const { username, password } = cluster.secured;
    const values = await sendAndRead(connection({ sasl: { mechanism, username, password } }));
    expect(new Set(values)).toEqual(new Set(['reading']));
  });

  it('refuses a wrong password, and no message shows it', async () => {
    const { username } = cluster.secured;
    const wrong = connection({
      sasl: { mechanism: 'scram-sha-512', username, password: 'not-the-password' },
    });
    const failure = await createTopicAdmin(wrong)
      .createMissing('refused', {
        ...{ partitions: 1, replicationFactor: 1, minInsyncReplicas: 1 },
        ...{ retentionMs: 86_400_000, maxMessageBytes: 1_048_576 },
      })
      .then(() => 'accepted', String);
    expect(failure).toMatch(/auth/i);
    expect(failure).not.toContain('not-the-password');
  });

  it('is not believed without its certificate', async () => {
    const producer = createKafkaProducer({ connection: connection({ tls: true }), topics: ['any'] });
    await expect(producer.connect()).rejects.toThrow(/certificate/);
    await producer.disconnect();
  });
});
