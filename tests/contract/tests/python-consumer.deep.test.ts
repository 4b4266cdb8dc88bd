import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CONTENT_TYPE, messageKey, SCHEMA_VERSION, TOPIC_HEADERS } from '@cellarman/contracts';
import type { TopicReading } from '@cellarman/reading';
import { createKafkaProducer, createTopicAdmin, partitionOf } from '@cellarman/kafka';
import { createLogger } from '@cellarman/telemetry';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { pythonEnvironment } from '../../python-environment.ts';

const run = promisify(execFile);

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'consumers', 'python');
const CONSUMER = join(folder, 'consumer.py');

const environment = await pythonEnvironment(join(folder, 'requirements.txt'));
if ('missing' in environment) {
  process.stderr.write(
    `NOT RUN: the Python consumer. It needs python3 with venv, and PyPI: ${environment.missing}\n`,
  );
}

const topic = `python-consumer-${randomUUID()}`;
const PARTITIONS = 3;
const headers = { [TOPIC_HEADERS.contentType]: CONTENT_TYPE, [TOPIC_HEADERS.schemaVersion]: SCHEMA_VERSION };

const reading: TopicReading = {
  ...{ cellar: 'demo', rack: 'boiler-house-2', keg: 'temperature', value: 7 },
  ...{ timestamp: '2026-11-21T06:30:00Z', received_at: '2026-11-21T06:30:00.123Z', key_id: 'k_1' },
};
const otherRack = { ...reading, rack: 'Kühlhaus/5 🍺' };
const otherValue = { ...reading, value: -0.5 };
const later = { ...reading, timestamp: '2026-11-21T06:30:00.000000001Z' };
const withNewField = { ...reading, keg: 'pressure', unit: 'bar' };

const SINGLE = [reading, otherRack, otherValue, later, withNewField];
/** Enough for ingest to compress them. */
const TOGETHER = Array.from({ length: 20 }, (_, value) => ({ ...reading, keg: 'together', value }));
const READINGS = [...SINGLE, ...TOGETHER];
const REPETITIONS = [
  JSON.stringify({ ...reading, received_at: '2026-11-21T06:30:09.000Z' }),
  JSON.stringify({ ...reading, timestamp: '2026-11-21T06:30:00.000Z' }),
  JSON.stringify(reading).replace('"value":7', '"value":7.00'),
];
const NO_READINGS = [
  '',
  'not JSON',
  '[]',
  'null',
  JSON.stringify({ ...reading, value: null }),
  `${JSON.stringify(reading)}{}`,
];

describe('the Python consumer', () => {
  const connection = {
    brokers: inject('engines').kafkaBrokers,
    clientId: 'python-consumer-test',
    logger: createLogger({ service: 'test', version: '0', level: 'silent' }),
  };
  const admin = createTopicAdmin(connection);
  const producer = createKafkaProducer({ connection, topics: [topic] });
  const compressing = createKafkaProducer({ connection, topics: [topic], compression: 'zstd' });

  beforeAll(async () => {
    await admin.createMissing(topic, {
      partitions: PARTITIONS,
      replicationFactor: 1,
      minInsyncReplicas: 1,
      retentionMs: 3_600_000,
      maxMessageBytes: 1_048_588,
    });
    await Promise.all([producer.connect(), compressing.connect()]);
    // The leader of a topic that has just been made may not know of it yet. The consumer counts a repetition once.
    const send = (key: string, value: string, sent: Record<string, string> = headers) =>
      vi.waitFor(
        () =>
          producer.send(topic, [
            {
              partition: partitionOf(key, PARTITIONS),
              messages: [{ key, value: Buffer.from(value), headers: sent }],
            },
          ]),
        { timeout: 30_000, interval: 200 },
      );
    for (const one of SINGLE) await send(messageKey(one.cellar, one.rack), JSON.stringify(one));
    for (const value of [...REPETITIONS, ...NO_READINGS])
      await send(messageKey('demo', 'boiler-house-2'), value);
    await send('', JSON.stringify({ ...reading, keg: 'no schema version' }), {});
    const key = messageKey('demo', 'boiler-house-2');
    const messages = TOGETHER.map((one) => ({ key, value: Buffer.from(JSON.stringify(one)), headers }));
    await compressing.send(topic, [{ partition: partitionOf(key, PARTITIONS), messages }]);
  });

  afterAll(async () => {
    await Promise.all([producer.disconnect(), compressing.disconnect()]);
    await admin.delete(topic);
  });

  it.skipIf('missing' in environment)('prints each reading once and names what is none', async () => {
    if ('missing' in environment) return;
    const { stdout, stderr } = await run(environment.python, [
      CONSUMER,
      ...['--brokers', connection.brokers.join(','), '--topic', topic, '--group', topic, '--until-end'],
    ]);

    const printed = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as TopicReading);
    const sorted = (readings: TopicReading[]) => readings.map((one) => JSON.stringify(one)).sort();
    expect(sorted(printed)).toEqual(sorted(READINGS));
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toEqual({
      read: READINGS.length + REPETITIONS.length + NO_READINGS.length + 1,
      printed: READINGS.length,
      repeated: REPETITIONS.length,
      rejected: NO_READINGS.length + 1,
    });
    expect(stderr).toContain('holds no reading: the header schema-version is not 1');
  });

  it.skipIf('missing' in environment)('ends at what there was, while others send more', async () => {
    if ('missing' in environment) return;
    let isReading = true;
    const values = Array.from({ length: 200 }, (_, value) => JSON.stringify({ ...reading, value }));
    const load = (async () => {
      while (isReading) {
        const sent = Array.from({ length: PARTITIONS }, (_, partition) => ({
          partition,
          messages: values.map((value) => ({ key: '', value: Buffer.from(value), headers })),
        }));
        await producer.send(topic, sent);
      }
    })();
    try {
      const where = ['--brokers', connection.brokers.join(','), '--topic', topic];
      const what = ['--group', `${topic}-under-load`, '--until-end'];
      await run(environment.python, [CONSUMER, ...where, ...what], { timeout: 60_000, maxBuffer: 2 ** 28 });
    } finally {
      isReading = false;
      await load;
    }
  });
});
