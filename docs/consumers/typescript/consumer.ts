/**
 * Stores each reading of cellarman.readings.v1 once, in SQLite. docs/topic.md describes the topic.
 *
 *     npm install
 *     node consumer.ts --brokers 127.0.0.1:9092 --database readings.db
 */
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { Admin, Consumer, ListOffsetTimestamps, stringDeserializers } from '@platformatic/kafka';
import type { Message } from '@platformatic/kafka';

type StringMessage = Message<string, string, string, string>;

const { values: options } = parseArgs({
  options: {
    brokers: { type: 'string', default: '127.0.0.1:9092' },
    database: { type: 'string', default: 'readings.db' },
    group: { type: 'string', default: 'readings-to-sqlite' },
    // Where a new group starts: 2026-11-21T06:00:00Z.
    from: { type: 'string' },
    topic: { type: 'string', default: 'cellarman.readings.v1' },
  },
});
const { topic, group: groupId } = options;
const connection = { clientId: 'readings-to-sqlite', bootstrapBrokers: options.brokers.split(',') };

const database = new DatabaseSync(options.database);
// The primary key is the identity of a reading.
database.exec(`CREATE TABLE IF NOT EXISTS readings (
  cellar TEXT, rack TEXT, keg TEXT, timestamp TEXT, value REAL,
  received_at TEXT NOT NULL, trace_id TEXT,
  PRIMARY KEY (cellar, rack, keg, timestamp, value)
) WITHOUT ROWID`);
const insert = database.prepare('INSERT INTO readings VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING');

const NAME = /^[^\u0000-\u001f\u007f]+$/u;
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?Z$/u;

const consumer = new Consumer({ ...connection, groupId, deserializers: stringDeserializers });
await prepareOffsets();
// "earliest" is for partitions that are added while the group runs.
const start = { mode: 'committed', fallbackMode: 'earliest' } as const;
const stream = await consumer.consume({ topics: [topic], autocommit: false, ...start });
process.once('SIGTERM', () => void stream.close());

let batch: StringMessage[] = [];
for await (const message of stream) {
  batch.push(message);
  if (batch.length < 1000 && stream.readableLength > 0) continue;
  const rows = batch.map(toRow).filter((row) => row !== undefined);
  database.exec('BEGIN');
  for (const row of rows) insert.run(...row);
  database.exec('COMMIT');
  // Only now: messages that are read again after a crash violate the primary key.
  const next = new Map(
    batch.map(({ partition, offset, leaderEpoch }) => [partition, { offset: offset + 1n, leaderEpoch }]),
  );
  await consumer.commit({ offsets: Array.from(next, ([partition, at]) => ({ topic, partition, ...at })) });
  batch = [];
}
await consumer.close(true);

/** Returns the row of a message, or undefined if it is not a valid reading. */
function toRow({ headers, value, partition, offset }: StringMessage): SQLInputValue[] | undefined {
  try {
    if (headers.get('schema-version') !== '1') throw new Error('the header schema-version is not 1');
    // Unknown fields are ignored.
    const reading = JSON.parse(value) as Record<string, unknown>;
    const names = ['cellar', 'rack', 'keg'].map((name) => match(reading[name], NAME)[0]);
    const [, seconds = '', fraction = ''] = match(reading.timestamp, TIME);
    if (!Number.isFinite(reading.value)) throw new Error('the value is not a number');
    // 06:30:00.10Z and 06:30:00.1Z are the same time, 0 and -0 the same value.
    const identity = [
      ...names,
      `${seconds}${fraction.replace(/\.?0*$/u, '')}Z`,
      (reading.value as number) + 0,
    ];
    const traceId = headers.get('traceparent')?.split('-')[1] ?? null;
    return [...identity, match(reading.received_at, TIME)[0], traceId];
  } catch (error) {
    process.stderr.write(`partition ${partition}, offset ${offset} is not a reading: ${String(error)}\n`);
    return undefined;
  }
}

function match(text: unknown, pattern: RegExp): RegExpExecArray {
  const found = typeof text === 'string' && text.isWellFormed() ? pattern.exec(text) : null;
  if (found === null) throw new Error('a name or a time is invalid');
  return found;
}

/** Throws if retention deleted messages that this group has not read: the client would skip them without an error. */
async function prepareOffsets(): Promise<void> {
  const admin = new Admin(connection);
  const offsetsAt = async (timestamp: bigint) =>
    (await consumer.listOffsets({ topics: [topic], timestamp })).get(topic) ?? [];
  const [group] = await admin.listConsumerGroupOffsets({ groups: [groupId] });
  const committed = group?.topics.find(({ name }) => name === topic)?.partitions ?? [];
  const oldest = await offsetsAt(ListOffsetTimestamps.EARLIEST);
  for (const { partitionIndex, committedOffset } of committed) {
    if (committedOffset >= 0n && committedOffset < (oldest[partitionIndex] ?? 0n))
      throw new Error(
        `partition ${partitionIndex}: retention deleted messages from offset ${committedOffset}`,
      );
  }
  if (options.from !== undefined && committed.every(({ committedOffset }) => committedOffset < 0n)) {
    const ends = await offsetsAt(ListOffsetTimestamps.LATEST);
    const found = await offsetsAt(BigInt(Date.parse(options.from)));
    // -1: the partition has no message since then.
    const starts = found.map((offset, partition) => ({
      partition,
      offset: offset < 0n ? (ends[partition] ?? 0n) : offset,
    }));
    await admin.alterConsumerGroupOffsets({ groupId, topics: [{ name: topic, partitionOffsets: starts }] });
  }
  await admin.close();
}
