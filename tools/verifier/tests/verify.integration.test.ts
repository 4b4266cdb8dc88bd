import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { messageKey } from '@cellarman/contracts';
import { createKafkaProducer, createTopicAdmin, partitionOf, silentLogger } from '@cellarman/kafka';
import type { KafkaConnection } from '@cellarman/kafka';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { describeReport } from '../src/describe-report.ts';
import { verify } from '../src/verify.ts';
import type { Report, VerifyOptions } from '../src/verify.ts';
import { withAdmin } from '../../../libs/kafka/src/client/admin-session.ts';
import { connectView } from '../src/view.ts';

/*
 * The view here is a plain table, into which any lie can be planted. Topic and engine are real.
 */

const engines = inject('engines');
const connection: KafkaConnection = {
  brokers: engines.kafkaBrokers,
  clientId: 'verifier-test',
  logger: silentLogger,
};
const { clickhouseUrl: url, clickhouseUser: user, clickhousePassword: password } = engines;
const admin = createClient({ url, username: user, password });

interface Sent {
  cellar: string;
  rack: string;
  keg: string;
  value: number;
  timestamp: string;
  received_at: string;
  key_id: string;
}

let topic: string;
let deadLetters: string;
let database: string;
let directory: string;
let sent: Sent[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cellarman-verifier-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
  await admin.close();
});

beforeEach(async () => {
  const suffix = randomUUID().slice(0, 8);
  [topic, deadLetters, database] = [`verify-${suffix}`, `verify-${suffix}-dead`, `verify_${suffix}`];
  const topics = createTopicAdmin(connection);
  for (const name of [topic, deadLetters]) await topics.createMissing(name, POLICY);
  await admin.command({ query: `CREATE DATABASE ${database}` });
  await admin.command({
    query: `CREATE TABLE ${database}.readings (cellar String, rack String, keg String, value Float64,
      timestamp DateTime64(9, 'UTC'), received_at DateTime64(3, 'UTC'), key_id String) ENGINE = MergeTree ORDER BY cellar`,
  });
  await admin.command({
    query: `CREATE TABLE ${database}.retention_policy (cellar String, days UInt16) ENGINE = ReplacingMergeTree ORDER BY cellar`,
  });
  await admin.command({ query: `INSERT INTO ${database}.retention_policy VALUES ('', 90)` });

  const now = Date.now();
  sent = Array.from({ length: 300 }, (_, i) => ({
    cellar: 'demo',
    rack: `rack-${i % 7}`,
    keg: 'temperature "outside", °C',
    value: i % 50 === 0 ? 0 : Math.round(Math.sin(i) * 1e6) / 1e4,
    timestamp: `${new Date(now - i * 1000).toISOString().slice(0, -1)}${String(i).padStart(6, '0')}Z`,
    received_at: new Date(now).toISOString(),
    key_id: 'k1',
  }));
});

const POLICY = {
  partitions: 3,
  replicationFactor: 1,
  minInsyncReplicas: 1,
  retentionMs: 7 * 86_400_000,
  maxMessageBytes: 1_048_576,
};

async function publish(
  values: readonly string[],
  partitionAt = (index: number): number => index % 3,
): Promise<void> {
  const producer = createKafkaProducer({ connection, topics: [topic] });
  await producer.connect();
  for (let partition = 0; partition < 3; partition++) {
    const messages = values
      .filter((_, i) => partitionAt(i) === partition)
      .map((value) => ({ key: 'k', value: Buffer.from(value) }));
    // As many as a request surely takes.
    for (let i = 0; i < messages.length; i += 1000) {
      await producer.send(topic, [{ partition, messages: messages.slice(i, i + 1000) }]);
    }
  }
  await producer.disconnect();
}

const publishSent = (): Promise<void> => publish(sent.map((reading) => JSON.stringify(reading)));

async function store(rows: readonly Sent[]): Promise<void> {
  await admin.insert({
    table: `${database}.readings`,
    values: rows,
    format: 'JSONEachRow',
    clickhouse_settings: { date_time_input_format: 'best_effort' },
  });
}

async function sendLog(acknowledged: readonly Sent[], other: readonly Sent[] = []): Promise<string> {
  const file = join(directory, randomUUID());
  const line = ({ received_at: _, key_id: __, ...reading }: Sent, outcome: string): string =>
    JSON.stringify({ ...reading, outcome });
  const lines = [
    ...acknowledged.map((r) => line(r, 'acknowledged')),
    ...other.map((r) => line(r, 'rejected')),
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}

async function report(
  sendLogs: readonly string[] = [],
  options: Partial<VerifyOptions> = {},
): Promise<Report> {
  const view = connectView({ url, user, password, database });
  try {
    return await verify({
      topic: { connection, topic },
      deadLetters: { connection, topic: deadLetters },
      view,
      range: { from: undefined, to: Date.now() + 1000 },
      sendLogs,
      waitMs: 0,
      ...options,
    });
  } finally {
    await view.close();
  }
}

const TRUE = { missing: 0, duplicated: 0, altered: 0 };
const [first, second] = [0, 1] as const;

test('says that all is there, when it is; repetitions in the topic are one in the view', async () => {
  await publishSent();
  await publishSent();
  await store(sent);
  expect(await report([await sendLog(sent)])).toMatchObject({
    ...TRUE,
    topic: { records: 600, distinct: 300, noReadings: 0, deadLetters: 0 },
    view: { rows: 300, distinct: 300 },
    sendLog: { sent: 300, acknowledged: 300 },
    expired: 0,
    racks: [],
    examples: [],
  });
});

test('finds a reading of the topic that the view does not have', async () => {
  await publishSent();
  await store(sent.slice(1));
  const found = await report();
  expect(found).toMatchObject({ ...TRUE, missing: 1 });
  expect(found.examples).toEqual([
    { kind: 'missing', what: expect.stringContaining(sent[first]?.timestamp ?? '') as string },
  ]);
  expect(found.racks).toMatchObject([{ rack: 'rack-0', topic: { count: 43 }, view: { count: 42 } }]);
});

test('finds an acknowledged reading that never reached the topic', async () => {
  await publish(sent.slice(1).map((reading) => JSON.stringify(reading)));
  await store(sent.slice(1));
  expect(await report()).toMatchObject(TRUE);
  expect(await report([await sendLog(sent)])).toMatchObject({ ...TRUE, missing: 1 });
  expect(await report([await sendLog(sent.slice(1), sent.slice(0, 1))])).toMatchObject(TRUE);
});

test('finds a row that is there twice', async () => {
  await publishSent();
  await store([...sent, ...sent.slice(0, 1)]);
  expect(await report()).toMatchObject({ ...TRUE, duplicated: 1, view: { rows: 301, distinct: 300 } });
});

test('finds a row that is there twice, also when it was received before the range', async () => {
  await publishSent();
  const before = new Date(Date.now() - 600_000).toISOString();
  const early = sent.slice(0, 1).map((reading) => ({ ...reading, received_at: before }));
  await store([...sent.slice(1), ...early, ...early]);
  const range = { from: Date.now() - 60_000, to: Date.now() + 1000 };
  expect(await report([], { range })).toMatchObject({
    ...TRUE,
    duplicated: 1,
    view: { rows: 301, distinct: 300 },
  });
});

test('finds a row that nobody sent, also when it is as new as the query', async () => {
  await publishSent();
  await store(sent);
  const range = { from: undefined, to: undefined };
  expect(await report([], { range })).toMatchObject(TRUE);
  await store(sent.slice(0, 1).map((reading) => ({ ...reading, value: 123.5 })));
  expect(await report([], { range })).toMatchObject({ ...TRUE, altered: 1 });
});

test('waits for all that is still on its way, however much that is', async () => {
  // More than are looked up at a time.
  sent = Array.from({ length: 20_100 }, (_, i) => ({ ...sent[first], keg: `k${i}` }) as Sent);
  await publishSent();
  let stored: Promise<void> | undefined;
  const onStep = (text: string): void => {
    if (text.startsWith('waiting')) stored ??= store(sent);
  };
  expect(await report([], { waitMs: 60_000, onStep })).toMatchObject({ ...TRUE, view: { rows: 20_100 } });
  await stored;
});

test('takes no send log that says what it does not know', async () => {
  await publishSent();
  const file = join(directory, randomUUID());
  await writeFile(file, `${JSON.stringify({ ...sent[first], outcome: 'ok' })}\n`);
  await expect(report([file])).rejects.toThrow('has the outcome ok');
});

test.each([
  ['value', (reading: Sent) => ({ ...reading, value: reading.value + 2 ** -30 })],
  ['rack', (reading: Sent) => ({ ...reading, rack: `${reading.rack} ` })],
  ['nanosecond', (reading: Sent) => ({ ...reading, timestamp: reading.timestamp.replace(/\dZ$/, '9Z') })],
])('finds a row with another %s', async (_, change) => {
  await publishSent();
  await store(sent.map((reading, i) => (i === second ? change(reading) : reading)));
  expect(await report()).toMatchObject({ missing: 1, duplicated: 0, altered: 1 });
});

test('finds a value that was altered between the client and the topic', async () => {
  const altered = sent.map((reading, i) => (i === second ? { ...reading, value: 7.25 } : reading));
  await publish(altered.map((reading) => JSON.stringify(reading)));
  await store(altered);
  expect(await report([await sendLog(sent)])).toMatchObject({ missing: 1, duplicated: 0, altered: 1 });
});

test('a record that is no reading must be a dead letter', async () => {
  await publish([...sent.map((reading) => JSON.stringify(reading)), '{"cellar":"demo"}']);
  await store(sent);
  const found = await report();
  expect(found).toMatchObject({ ...TRUE, missing: 1, topic: { noReadings: 1, deadLetters: 0 } });
  await publish(['null', '5', '"x"']);
  expect(await report()).toMatchObject({ ...TRUE, missing: 4, topic: { noReadings: 4, deadLetters: 0 } });
});

test('what is older than its retention is expired, not missing', async () => {
  const old = sent.map((reading) => ({ ...reading, timestamp: '2020-01-01T00:00:00Z' })).slice(0, 1);
  await publish([...sent, ...old].map((reading) => JSON.stringify(reading)));
  await store(sent);
  expect(await report([await sendLog([...sent, ...old])])).toMatchObject({ ...TRUE, expired: 1 });
});

/** All that is in some partitions, as Kafka does it when the records are old. */
async function deleteRecords(partitions: readonly number[]): Promise<void> {
  await withAdmin(connection, async (kafka) => {
    // kafkajs learns the partitions by this.
    const held = await kafka.fetchTopicOffsets(topic);
    await kafka.deleteTopicRecords({
      topic,
      partitions: partitions.map((partition) => ({
        partition,
        offset: held.find((each) => each.partition === partition)?.high ?? '',
      })),
    });
  });
}

test('rows whose records Kafka has deleted are reported, and not taken for altered', async () => {
  await publishSent();
  await store(sent);
  await deleteRecords([0, 1, 2]);
  for (const from of [undefined, Date.now() - 60_000]) {
    const found = await report([], { range: { from, to: Date.now() + 1000 } });
    expect(found).toMatchObject({ ...TRUE, topic: { records: 0 }, view: { rows: 0, older: 300 } });
    expect(describeReport(found)).toContain('nothing could be compared');
  }

  // The topic continues, and an earlier range is requested.
  await publishSent();
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await store([{ ...(sent[first] as Sent), value: 123.5, received_at: hourAgo }]);
  const range = { from: Date.now() - 7_200_000, to: Date.now() - 1_800_000 };
  expect(await report([], { range })).toMatchObject({ ...TRUE, view: { older: 1 } });
});

test('a quiet partition whose records are deleted hides no change in the others', async () => {
  const partition = ({ cellar, rack }: Sent): number => partitionOf(messageKey(cellar, rack), 3);
  const quiet = partition(sent[first] as Sent);
  const others = sent.filter((reading) => partition(reading) !== quiet);
  expect(others.length).toBeGreaterThan(0);
  await publish(
    sent.map((reading) => JSON.stringify(reading)),
    (index) => partition(sent[index] as Sent),
  );
  await deleteRecords([quiet]);
  await store(sent.map((reading) => (reading === others[0] ? { ...reading, value: 123.5 } : reading)));

  for (const from of [undefined, Date.now() - 60_000]) {
    expect(await report([], { range: { from, to: Date.now() + 1000 } })).toMatchObject({
      missing: 1,
      altered: 1,
      view: { older: sent.length - others.length },
    });
  }
});
