import { readConfig } from '@cellarman/config';
import { Type } from '@sinclair/typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountSecret } from '../../tls/tests/mounted-secret.ts';
import type { MountedSecret } from '../../tls/tests/mounted-secret.ts';
import { createTestAuthority } from '../../tls/tests/test-authority.ts';
import {
  createKafkaProducer,
  createTopicAdmin,
  kafkaAccess,
  kafkaVariables,
  readRange,
} from '../src/index.ts';
import type { KafkaConnection } from '../src/index.ts';
import { startKafkaCluster } from './kafka-cluster.ts';
import type { KafkaCluster } from './kafka-cluster.ts';
import { connectTo, createTestTopic } from './test-topic.ts';

/* A broker that wants TLS and a user, as those that are bought do, or a certificate, as those of a zero-trust network do. */

let cluster: KafkaCluster;

beforeAll(async () => {
  cluster = await startKafkaCluster(1, { isSecured: true });
}, 120_000);

afterAll(() => cluster.stop());

function connection(change: Partial<KafkaConnection> = {}): KafkaConnection {
  const { brokers, authority, username, password } = cluster.secured;
  return {
    ...connectTo(brokers),
    tls: { ca: authority.certificate },
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

  it('rejects a wrong password, and no message shows it', async () => {
    const { username } = cluster.secured;
    const failure = await failureOf(
      connection({ sasl: { mechanism: 'scram-sha-512', username, password: 'not-the-password' } }),
    );
    expect(failure).toMatch(/auth/i);
    expect(failure).not.toContain('not-the-password');
  });

  it('is not believed without its authority, and the error says what to do', async () => {
    expect(await failureOf(connection({ tls: true }))).toMatch(/certificate.* NODE_EXTRA_CA_CERTS/);
  });

  it('is not believed under another name', async () => {
    const { authority } = cluster.secured;
    const elsewhere = connection({ tls: { ca: authority.certificate, servername: 'other.example' } });
    expect(await failureOf(elsewhere)).toMatch(/other\.example.* use one of them in the URL/);
  });

  it('detects clients that speak plain text to its port', async () => {
    const { brokers } = cluster.secured;
    expect(await failureOf(connectTo(brokers))).toMatch(/requires TLS: set KAFKA_TLS=true/);
  });

  it('is distinguished from one without TLS', async () => {
    const plain = connection({ brokers: cluster.brokers });
    expect(await failureOf(plain)).toMatch(/check the scheme and the port|does not speak TLS/);
  });
});

describe('a broker that wants a certificate', () => {
  let secret: MountedSecret;
  beforeAll(async () => (secret = await mountSecret()));
  afterAll(() => secret.remove());

  /** As the environment has it. The authority stands in for NODE_EXTRA_CA_CERTS, which Node reads at its start alone. */
  function mutual(): KafkaConnection {
    const { mutual: brokers, authority } = cluster.secured;
    const env = {
      KAFKA_BROKERS: brokers.join(','),
      KAFKA_TLS: 'true',
      KAFKA_TLS_CERT_FILE: secret.certFile,
      KAFKA_TLS_KEY_FILE: secret.keyFile,
    };
    const { tls } = kafkaAccess(readConfig({ service: 'test', schema: Type.Object(kafkaVariables), env }));
    if (typeof tls !== 'function') throw new Error('the files are not read');
    return { ...connectTo(brokers), tls: () => ({ ...tls(), ca: authority.certificate }) };
  }

  it('takes and gives messages to who shows one, also when it is renewed', async () => {
    const { authority } = cluster.secured;
    await secret.write({ certificate: await authority.issue({ subject: 'cellarman' }) });
    const way = mutual();
    expect(await sendAndRead(way)).toContain('reading');

    const stranger = await createTestAuthority('a stranger');
    await secret.write({ certificate: await stranger.issue() });
    expect(await failureOf(way)).toMatch(/requires a client certificate that it trusts/);
    await secret.write({ certificate: await authority.issue({ subject: 'cellarman' }) });
    expect(await sendAndRead(way)).toContain('reading');
  });

  it('rejects who shows none, and the error says what to do', async () => {
    const { mutual: brokers, authority } = cluster.secured;
    const bare = { ...connectTo(brokers), tls: { ca: authority.certificate } };
    expect(await failureOf(bare)).toMatch(/KAFKA_.*TLS_CERT_FILE/);
  });
});

/** Returns the error of a request. */
async function failureOf(way: KafkaConnection): Promise<string> {
  return createTopicAdmin(way)
    .createMissing('rejected', {
      ...{ partitions: 1, replicationFactor: 1, minInsyncReplicas: 1 },
      ...{ retentionMs: 86_400_000, maxMessageBytes: 1_048_576 },
    })
    .then(() => 'accepted', String);
}
