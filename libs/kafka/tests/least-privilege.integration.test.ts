import { readFile } from 'node:fs/promises';
import kafkajs from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import {
  createKafkaConsumer,
  createKafkaProducer,
  createTopicAdmin,
  fetchTopicHealth,
  isConsumedUntil,
  readRange,
} from '../src/index.ts';
import type { KafkaConnection } from '../src/index.ts';
import { startKafkaCluster } from './kafka-cluster.ts';
import type { KafkaCluster } from './kafka-cluster.ts';
import { connectTo, WEAK_POLICY } from './test-topic.ts';

/* The users of deploy/examples/kafka-strimzi.yaml on a broker that enforces their ACLs, and what the services do with them. */

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, Kafka, ResourcePatternTypes } = kafkajs;

const TOPIC = 'cellarman.readings.v1';
const DEAD_LETTERS = 'cellarman.readings.v1.dead-letter';
const GROUP = 'cellarman-sink';
const PASSWORD = 'of-the-tests';

const OPERATIONS: Record<string, (typeof AclOperationTypes)[keyof typeof AclOperationTypes]> = {
  Alter: AclOperationTypes.ALTER,
  AlterConfigs: AclOperationTypes.ALTER_CONFIGS,
  Create: AclOperationTypes.CREATE,
  Describe: AclOperationTypes.DESCRIBE,
  DescribeConfigs: AclOperationTypes.DESCRIBE_CONFIGS,
  Read: AclOperationTypes.READ,
  Write: AclOperationTypes.WRITE,
};

interface KafkaUser {
  kind: string;
  metadata: { name: string };
  spec: {
    authorization: {
      acls: { resource: { type: string; name: string; patternType: string }; operations: string[] }[];
    };
  };
}

let cluster: KafkaCluster;

beforeAll(async () => {
  const text = await readFile(
    new URL('../../../deploy/examples/kafka-strimzi.yaml', import.meta.url),
    'utf8',
  );
  const users = parseAllDocuments(text)
    .map((document) => document.toJS() as KafkaUser)
    .filter(({ kind }) => kind === 'KafkaUser');
  cluster = await startKafkaCluster(1, {
    isSecured: true,
    users: users.map(({ metadata }) => metadata.name),
  });
  await allow(users);
}, 120_000);

afterAll(() => cluster.stop());

/** As Strimzi's user operator does. The listener without users is that of the operator. */
async function allow(users: KafkaUser[]): Promise<void> {
  const admin = new Kafka({ brokers: [...cluster.brokers], logLevel: kafkajs.logLevel.NOTHING }).admin();
  await admin.connect();
  const acl = users.flatMap(({ metadata, spec }) =>
    spec.authorization.acls.flatMap(({ resource, operations: names }) =>
      names.map((name) => {
        const operation = OPERATIONS[name];
        if (operation === undefined) throw new Error(`Kafka has no operation ${name}`);
        return {
          resourceType: resource.type === 'group' ? AclResourceTypes.GROUP : AclResourceTypes.TOPIC,
          resourceName: resource.name,
          resourcePatternType:
            resource.patternType === 'prefix' ? ResourcePatternTypes.PREFIXED : ResourcePatternTypes.LITERAL,
          principal: `User:${metadata.name}`,
          host: '*',
          operation,
          permissionType: AclPermissionTypes.ALLOW,
        };
      }),
    ),
  );
  // Reading without a group is beyond kafkajs: with this, only the rights on the topics keep ingest from reading.
  const anyGroup = {
    ...{ resourceType: AclResourceTypes.GROUP, resourceName: '*', host: '*' },
    ...{ resourcePatternType: ResourcePatternTypes.LITERAL, permissionType: AclPermissionTypes.ALLOW },
    ...{ principal: 'User:cellarman-ingest', operation: AclOperationTypes.READ },
  };
  await admin.createAcls({ acl: [...acl, anyGroup] });
  await admin.disconnect();
}

function as(user: 'ingest' | 'sink' | 'migrate'): KafkaConnection {
  const { brokers, authority } = cluster.secured;
  return {
    ...connectTo(brokers),
    tls: { ca: authority.certificate },
    sasl: { mechanism: 'scram-sha-512', username: `cellarman-${user}`, password: PASSWORD },
  };
}

async function send(user: 'ingest' | 'sink', topic: string): Promise<string> {
  const producer = createKafkaProducer({ connection: as(user), topics: [topic] });
  try {
    await producer.connect();
    await producer.send(topic, [{ partition: 0, messages: [{ key: 'k', value: Buffer.from('reading') }] }]);
    return 'sent';
  } catch (error) {
    return messageOf(error);
  } finally {
    await producer.disconnect();
  }
}

async function read(user: 'ingest' | 'sink', topic: string): Promise<number | string> {
  let count = 0;
  const all = { from: 'start', to: 'end' } as const;
  try {
    for await (const { messages } of readRange({ connection: as(user), topic, groupId: GROUP, ...all })) {
      count += messages.length;
    }
    return count;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause === undefined ? message : `${message} ${messageOf(cause)}`;
}

const DENIED = /not authorized|authorization/i;

describe('the users of the example', () => {
  it('migrate makes the topics, describes and alters them', async () => {
    const admin = createTopicAdmin(as('migrate'));
    for (const topic of [TOPIC, DEAD_LETTERS]) {
      await vi.waitFor(() => admin.createMissing(topic, { ...WEAK_POLICY, partitions: 1 }), {
        timeout: 30_000,
        interval: 200,
      });
      await admin.alter(topic, { 'retention.ms': '604800000' });
      expect(await admin.describe(topic)).toMatchObject({ partitions: 1, retentionMs: 604_800_000 });
    }
  });

  it('ingest sends readings', async () => {
    await expect.poll(() => send('ingest', TOPIC), { timeout: 30_000 }).toBe('sent');
  });

  it('the sink checks the topics, consumes, commits, and sends dead letters', async () => {
    const admin = createTopicAdmin(as('sink'));
    expect(await admin.describe(TOPIC)).toMatchObject({ partitions: 1 });
    expect(await admin.describe(DEAD_LETTERS)).toMatchObject({ partitions: 1 });
    await expect.poll(() => send('sink', DEAD_LETTERS), { timeout: 30_000 }).toBe('sent');

    await consumeAndCommit(TOPIC, GROUP);
    await consumeAndCommit(DEAD_LETTERS, `${GROUP}-dead-letters`);
    const now = { topic: TOPIC, groupId: GROUP, timestampMs: Date.now() };
    await expect.poll(() => isConsumedUntil(as('sink'), now)).toBe(true);
    const { partitions: health } = await fetchTopicHealth(as('sink'), { topic: TOPIC, groupId: GROUP });
    expect(health).toMatchObject([{ partition: 0, replicas: 1, inSync: 1, lag: 0 }]);
  });

  it('the sink reads ranges of both topics, to verify completed hours', async () => {
    expect(await read('sink', TOPIC)).toBeGreaterThan(0);
    expect(await read('sink', DEAD_LETTERS)).toBeGreaterThan(0);
  });

  it('ingest reads nothing and writes no dead letters', async () => {
    expect(await read('ingest', TOPIC)).toMatch(DENIED);
    expect(await read('ingest', DEAD_LETTERS)).toMatch(DENIED);
    expect(await send('ingest', DEAD_LETTERS)).not.toBe('sent');
  });

  it('the sink writes no readings', async () => {
    expect(await send('sink', TOPIC)).toMatch(DENIED);
  });

  it('neither ingest nor the sink makes, alters or deletes a topic', async () => {
    for (const user of ['ingest', 'sink'] as const) {
      const admin = createTopicAdmin(as(user));
      await expect(admin.createMissing(`${TOPIC}.other`, WEAK_POLICY)).rejects.toThrow();
      await expect(admin.alter(TOPIC, { 'retention.ms': '1' })).rejects.toThrow(DENIED);
      await expect(admin.delete(TOPIC)).rejects.toThrow(DENIED);
    }
    const admin = createTopicAdmin(as('migrate'));
    expect(await admin.describe(`${TOPIC}.other`)).toBeUndefined();
    expect(await admin.describe(TOPIC)).toMatchObject({ retentionMs: 604_800_000 });
  });
});

/** Until one batch is consumed and its offsets are committed. */
async function consumeAndCommit(topic: string, groupId: string): Promise<void> {
  let report: (error?: Error) => void;
  const committed = new Promise<void>((resolve, reject) => {
    report = (error) => (error === undefined ? resolve() : reject(error));
  });
  const consumer = createKafkaConsumer({
    connection: as('sink'),
    topic,
    groupId,
    timing: { sessionTimeoutMs: 6_000, heartbeatIntervalMs: 500 },
    handler: {
      onBatch: ({ partition, nextOffset }) => {
        consumer.commit(new Map([[partition, nextOffset]])).then(
          () => report(),
          (error: unknown) => report(error as Error),
        );
      },
    },
  });
  await consumer.start();
  await Promise.race([committed, consumer.done]);
  await consumer.stop();
}
