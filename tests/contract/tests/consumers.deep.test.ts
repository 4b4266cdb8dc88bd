import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTENT_TYPE, messageKey, SCHEMA_VERSION, TOPIC_HEADERS } from '@cellarman/contracts';
import {
  createKafkaProducer,
  createTopicAdmin,
  fetchTopicHealth,
  partitionOf,
  silentLogger,
} from '@cellarman/kafka';
import { Admin } from '@platformatic/kafka';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { findPrograms } from '../consumers/programs.ts';
import { runProgram } from '../consumers/run-program.ts';
import type { Running } from '../consumers/run-program.ts';
import { createStore } from '../consumers/store.ts';
import type { Row, Store } from '../consumers/store.ts';

/* The programs of docs/consumers, which use clients that are not ours, against what ingest's producer wrote. */

const programs = await findPrograms();
const engines = inject('engines');
const connection = { brokers: engines.kafkaBrokers, clientId: 'consumers-test', logger: silentLogger };
const PATIENCE = { timeout: 90_000, interval: 100 };
const PARTITIONS = 3;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const HEADERS = { [TOPIC_HEADERS.contentType]: CONTENT_TYPE, [TOPIC_HEADERS.schemaVersion]: SCHEMA_VERSION };
const TRACED = { ...HEADERS, [TOPIC_HEADERS.traceparent]: `00-${TRACE}-00f067aa0ba902b7-01` };

const reading = {
  ...{ cellar: 'demo', rack: 'boiler-house-2', keg: 'temperature', value: 7 },
  ...{ timestamp: '2026-11-21T06:30:00Z', received_at: '2026-11-21T06:30:00.123Z', key_id: 'k_1' },
};
const kegs = (keg: string, count: number) =>
  Array.from({ length: count }, (_, value) => ({ ...reading, keg, value }));
const DISTINCT = [
  reading,
  { ...reading, rack: 'Kühlhaus/5 🍺' },
  { ...reading, rack: 'Boiler-House-2' },
  { ...reading, value: -0.5 },
  { ...reading, value: 1e22 },
  { ...reading, keg: 'zero', value: 0 },
  { ...reading, timestamp: '2026-11-21T06:30:00.000000001Z' },
  { ...reading, timestamp: '2026-11-21T06:30:00.12Z' },
  { ...reading, keg: 'with a new field', unit: 'bar', Unit: { of: ['pressure'] } },
];
const DUPLICATES = [
  JSON.stringify({ ...reading, received_at: '2026-11-21T06:30:09.000Z' }),
  JSON.stringify({ ...reading, timestamp: '2026-11-21T06:30:00.000Z' }),
  JSON.stringify({ ...reading, timestamp: '2026-11-21T06:30:00.120Z' }),
  JSON.stringify(reading).replace('"value":7', '"value":7.00'),
  JSON.stringify({ ...reading, keg: 'zero' }).replace('"value":7', '"value":-0.0'),
];
const INVALID = [
  ...['', 'not JSON', '[]', 'null', `${JSON.stringify(reading)}{}`],
  JSON.stringify({ ...reading, value: null }),
  JSON.stringify({ ...reading, value: '7' }),
  JSON.stringify({ ...reading, rack: 'a\u0000b' }),
  JSON.stringify({ ...reading, timestamp: '2026-11-21' }),
  JSON.stringify({ ...reading, received_at: undefined }),
  JSON.stringify(reading).replace('"value":7', '"value":1e999'),
];
const COMPRESSED = (['gzip', 'zstd'] as const).map((codec) => ({ codec, readings: kegs(codec, 5_000) }));
const LATER = kegs('later', 20);
const STORED = [...DISTINCT, ...COMPRESSED.flatMap(({ readings }) => readings), ...LATER];

const topic = `consumers-${randomUUID()}`;
const admin = createTopicAdmin(connection);
const foreign = new Admin({ clientId: 'consumers-test', bootstrapBrokers: connection.brokers });
const running: Running[] = [];
let folder: string;
let laterFrom: string;

interface Sent {
  key: string;
  value: string;
  headers: Record<string, string>;
}

const asMessage = (one: typeof reading): Sent => ({
  ...{ key: messageKey(one.cellar, one.rack), value: JSON.stringify(one), headers: HEADERS },
});

async function send(
  to: string,
  messages: readonly Sent[],
  compression: 'none' | 'gzip' | 'zstd' = 'none',
): Promise<void> {
  const producer = createKafkaProducer({ connection, topics: [to], compression });
  await producer.connect();
  for (let at = 0; at < messages.length; at += 500) {
    const byPartition = Map.groupBy(messages.slice(at, at + 500), ({ key }) => partitionOf(key, PARTITIONS));
    const sent = Array.from(byPartition, ([partition, some]) => ({
      partition,
      messages: some.map((message) => ({ ...message, value: Buffer.from(message.value) })),
    }));
    // The leader of a new topic may not know of it yet. The consumers deduplicate.
    await vi.waitFor(() => producer.send(to, sent), { timeout: 30_000, interval: 200 });
  }
  await producer.disconnect();
}

async function createTopic(name: string): Promise<void> {
  const durability = { replicationFactor: 1, minInsyncReplicas: 1 };
  await admin.createMissing(name, {
    partitions: PARTITIONS,
    ...durability,
    retentionMs: 3_600_000,
    maxMessageBytes: 1_048_588,
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellarman-consumers-'));
  await createTopic(topic);
  await send(
    topic,
    DISTINCT.map((one) => ({ ...asMessage(one), headers: TRACED })),
  );
  const others = [...DUPLICATES, ...INVALID].map((value) => ({ ...asMessage(reading), value }));
  await send(topic, [...others, { ...asMessage({ ...reading, keg: 'no schema version' }), headers: {} }]);
  for (const { codec, readings } of COMPRESSED) await send(topic, readings.map(asMessage), codec);
  // Kafka keeps milliseconds: what was sent is older than this, and what follows is not.
  const sentUntil = Date.now();
  await vi.waitUntil(() => Date.now() > sentUntil + 1);
  laterFrom = new Date().toISOString();
  await send(topic, LATER.map(asMessage));
});
afterAll(async () => {
  await Promise.all(running.map((program) => program.stop('SIGKILL')));
  await foreign.close();
  await admin.delete(topic);
  await rm(folder, { recursive: true, force: true });
});

const asRow = ({ cellar, rack, keg, timestamp, value }: Row | typeof reading) =>
  JSON.stringify([cellar, rack, keg, timestamp, value]);
const asRows = (all: readonly (Row | typeof reading)[]) => all.map(asRow).sort();

describe.each(programs)('the $language consumer', (program) => {
  const newStore = (name: string): Promise<Store> =>
    createStore(program, `${program.language}-${name}-${randomUUID()}`, {
      folder,
      databaseUrl: engines.databaseUrl,
    });
  function start(store: Store, group: string, from: { topic: string; args?: string[] } = { topic }): Running {
    const where = ['--brokers', connection.brokers.join(','), '--database', store.database];
    const started = runProgram(program, [
      ...where,
      '--topic',
      from.topic,
      '--group',
      group,
      ...(from.args ?? []),
    ]);
    running.push(started);
    return started;
  }

  test('stores each reading once, also when it is killed', async () => {
    const store = await newStore('all');
    const group = randomUUID();
    const first = start(store, group);
    await expect
      .poll(async () => (first.expectRunning(), (await store.rows()).length), PATIENCE)
      .toBeGreaterThan(0);
    await first.stop('SIGKILL');
    // Otherwise its partitions would wait for the end of its session.
    await foreign.removeMembersFromConsumerGroup({ groupId: group });

    const second = start(store, group);
    await expect
      .poll(async () => {
        second.expectRunning();
        const { partitions } = await fetchTopicHealth(connection, { topic, groupId: group });
        return partitions.map(({ lag }) => lag);
      }, PATIENCE)
      .toEqual([0, 0, 0]);
    await second.stop('SIGTERM');

    const rows = await store.rows();
    expect(asRows(rows)).toEqual(asRows(STORED));
    expect(rows.filter((row) => row.trace_id === TRACE)).toHaveLength(DISTINCT.length);
    expect(rows.filter((row) => row.trace_id === null)).toHaveLength(STORED.length - DISTINCT.length);
    const invalid = new Set(
      `${first.errors()}${second.errors()}`.match(/partition \d+, offset \d+ is not a reading/g),
    );
    expect(invalid.size).toBe(INVALID.length + 1);
  });

  test('replays from a time', async () => {
    const store = await newStore('later');
    const replay = start(store, randomUUID(), { topic, args: ['--from', laterFrom] });
    await expect
      .poll(async () => (replay.expectRunning(), asRows(await store.rows())), PATIENCE)
      .toEqual(asRows(LATER));
    await replay.stop('SIGTERM');
  });

  test('stops with an error when retention deleted what it has not read', async () => {
    const deleted = `deleted-${randomUUID()}`;
    const group = randomUUID();
    await createTopic(deleted);
    await send(deleted, kegs('deleted', 10).map(asMessage));
    const partition = partitionOf(messageKey(reading.cellar, reading.rack), PARTITIONS);
    await foreign.alterConsumerGroupOffsets({
      groupId: group,
      topics: [{ name: deleted, partitionOffsets: [{ partition, offset: 2n }] }],
    });
    await foreign.deleteRecords({ topics: [{ name: deleted, partitions: [{ partition, offset: 5n }] }] });
    const store = await newStore('deleted');
    const late = start(store, group, { topic: deleted });
    expect(await late.ended).not.toBe(0);
    expect(late.errors()).toMatch(/range|deleted/i);
    expect(await store.rows()).toEqual([]);
    await admin.delete(deleted);
  });
});
