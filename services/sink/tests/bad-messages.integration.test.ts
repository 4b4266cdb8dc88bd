import { zstdCompressSync } from 'node:zlib';
import { DEAD_LETTER_HEADERS } from '@cellarman/contracts';
import { createTopicAdmin } from '@cellarman/kafka';
import type { ConsumedMessage } from '@cellarman/kafka';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { encodeRecordBatch } from '../../../libs/kafka/src/producer/record-batch.ts';
import {
  asMessage,
  CODEC,
  recompress,
  sendAsForeigner,
  withNullHeader,
} from '../../../libs/kafka/tests/foreign-producer.ts';
import { BAD_VALUES, readingLine } from '../../../libs/reading/tests/reading-line.ts';
import { openHarness, OUR_HEADERS } from './harness.ts';
import type { Sent, Harness } from './harness.ts';
import type { SinkProcess } from './sink-process.ts';

const kinds = Object.entries(BAD_VALUES);

/** Every kind once as if ingest had written it and once as a stranger would, each between two good readings. */
function mixed(): { messages: Sent[]; good: number; bad: number } {
  const messages: Sent[] = [];
  let good = 0;
  const addGood = () => {
    messages.push({ value: readingLine({ value: String(good++) }), partition: 0 });
  };
  addGood();
  for (const [kind, value] of kinds) {
    for (const headers of [OUR_HEADERS, {}]) {
      messages.push({ key: kind, value, headers, partition: 0 });
      addGood();
    }
  }
  return { messages, good, bad: kinds.length * 2 };
}

describe('messages that are no readings', () => {
  let harness: Harness;
  let sink: SinkProcess;
  const { messages, good, bad } = mixed();

  beforeAll(async () => {
    harness = await openHarness(inject('engines'));
    await harness.send(messages);
    sink = await harness.startSink();
  });
  afterAll(() => harness.close());

  it('leave all readings around them intact', async () => {
    await expect
      .poll(() => harness.query('SELECT count(), uniqExact(value), min(value), max(value) FROM readings'), {
        timeout: 30_000,
      })
      .toEqual([[good, good, 0, good - 1]]);
  });

  it('become dead letters, each with its bytes, its key, its place and a reason', async () => {
    await expect.poll(async () => (await harness.deadLetters()).length, { timeout: 30_000 }).toBe(bad);
    const dead = await harness.deadLetters();
    const origin = messages.flatMap(({ key }, offset) => (key === undefined ? [] : [{ key, offset }]));
    expect(
      dead.map(({ key, headers }) => ({
        key: key?.toString(),
        offset: Number(headers?.['dead-letter-offset']),
      })),
    ).toEqual(origin);
    for (const { key, value, headers } of dead) {
      expect(value).toEqual(BAD_VALUES[key?.toString() ?? '']);
      expect(headers?.['dead-letter-topic']?.toString()).toBe(harness.env['READINGS_TOPIC']);
      expect(headers?.['dead-letter-partition']?.toString()).toBe('0');
      expect(headers?.['dead-letter-reason']?.toString()).toMatch(/\w{3}/);
    }
    const ours = dead.filter(({ headers }) => headers?.['schema-version']?.toString() === '1');
    expect(ours).toHaveLength(kinds.length);
  });

  it('are counted', async () => {
    const { body } = await sink.get('/metrics');
    expect(body).toMatch(new RegExp(`^cellarman_sink_dead_letters_total(\\{.*\\})? ${bad}$`, 'm'));
    expect(body).toMatch(new RegExp(`^cellarman_sink_rows_inserted_total(\\{.*\\})? ${good}$`, 'm'));
  });
});

describe('rows that only the table rejects', () => {
  let harness: Harness;
  let sink: SinkProcess;

  beforeAll(async () => {
    harness = await openHarness(inject('engines'), { MAX_BAD_ROWS_IN_A_ROW: '10' });
    // An operator's own rule, which neither the check of the bytes nor the twin knows.
    await harness.clickhouse.command({
      query: 'ALTER TABLE readings_stored ADD CONSTRAINT no_frost CHECK value > -100',
    });
    sink = await harness.startSink();
  });
  afterAll(() => harness.close());

  it('are found among thousands, and all others are stored once', async () => {
    const values = Array.from({ length: 3_000 }, (_, index) =>
      index % 700 === 350 ? -1_000 - index : index,
    );
    await harness.send(values.map((value) => ({ value: readingLine({ value: String(value) }) })));
    await expect
      .poll(() => harness.query('SELECT count(), uniqExact(value), countIf(value <= -100) FROM readings'), {
        timeout: 30_000,
      })
      .toEqual([[2_996, 2_996, 0]]);
    await expect.poll(async () => (await harness.deadLetters()).length).toBe(4);
    const dead = await harness.deadLetters();
    expect(dead.map(({ value }) => value?.toString()).sort()).toEqual(
      [-1_350, -2_050, -2_750, -3_450].map((value) => readingLine({ value: String(value) })),
    );
    const [first] = dead;
    expect(first?.key?.toString()).toBe('demo/boiler-house-2');
    expect(first?.headers?.['dead-letter-reason']?.toString()).toContain('no_frost');
    expect(first?.headers?.['schema-version']?.toString()).toBe('1');
  });

  it('stop the sink if there are too many bad ones in a row, and none of them is committed', async () => {
    const before = (await harness.deadLetters()).length;
    await harness.send(Array.from({ length: 11 }, () => ({ value: '{}' })));
    await harness.send([{ value: readingLine({ value: '9999' }) }]);
    await expect
      .poll(async () => (await sink.get('/readyz')).body, { timeout: 30_000 })
      .toContain('more than 10 bad rows in a row');
    expect((await sink.get('/readyz')).status).toBe(503);
    expect((await sink.get('/livez')).status).toBe(200);
    expect((await sink.get('/metrics')).body).toMatch(/cellarman_sink_schema_error(\{[^}]*\})? 1/);
    expect(await harness.deadLetters()).toHaveLength(before);
    expect(await sink.kill('SIGTERM'), JSON.stringify(sink.log.slice(-6))).toBe(0);

    // An operator has looked, and decided that these are dead letters after all.
    await harness.startSink({ MAX_BAD_ROWS_IN_A_ROW: '0' });
    await expect
      .poll(() => harness.query('SELECT count() FROM readings WHERE value = 9999'), { timeout: 30_000 })
      .toEqual([[1]]);
    await expect.poll(async () => (await harness.deadLetters()).length).toBe(before + 11);
  });
});

describe('batches of other programs', () => {
  let harness: Harness;
  let topic: string;

  beforeAll(async () => {
    harness = await openHarness(inject('engines'), { MAX_BAD_ROWS_IN_A_ROW: '0' });
    topic = harness.env['READINGS_TOPIC'] ?? '';
    await harness.startSink();
  });
  afterAll(() => harness.close());

  const stored = async (): Promise<unknown> => (await harness.query('SELECT count() FROM readings'))[0]?.[0];

  it('are stored, whatever their compression codec', async () => {
    const admin = createTopicAdmin(harness.connection);
    let sent = 0;
    for (const codec of ['gzip', 'snappy', 'lz4', 'zstd']) {
      // The broker compresses by Kafka's own code.
      await admin.alter(topic, { 'compression.type': codec });
      await expect.poll(() => admin.describe(topic)).toMatchObject({ compressionType: codec });
      const values = Array.from({ length: 500 }, (_, n) => readingLine({ value: String(sent + n) }));
      await harness.send(values.map((value) => ({ value, partition: 0 })));
      sent += values.length;
      await expect.poll(stored, { timeout: 30_000 }).toBe(sent);
    }
    expect(await harness.deadLetters()).toHaveLength(0);
  });

  it('become one dead letter when they are too large, and those behind them are stored', async () => {
    const before = await stored();
    const messages = [{ key: 'bomb', value: Buffer.alloc(100 * 1024 * 1024) }];
    const bomb = recompress(encodeRecordBatch(messages, Date.now()), CODEC.zstd, (records) =>
      zstdCompressSync(records),
    );
    const admin = createTopicAdmin(harness.connection);
    await admin.alter(topic, { 'compression.type': 'producer' });
    await expect.poll(() => admin.describe(topic)).toMatchObject({ compressionType: 'producer' });
    await sendAsForeigner(harness.connection.brokers, topic, [asMessage(bomb, 0)]);
    await harness.send([{ value: readingLine({ value: '-1' }), partition: 0 }]);

    await expect.poll(stored, { timeout: 30_000 }).toBe(Number(before) + 1);
    await expect.poll(async () => (await harness.deadLetters()).length, { timeout: 30_000 }).toBe(1);
    const [letter] = await harness.deadLetters();
    expect(letter?.headers?.[DEAD_LETTER_HEADERS.reason]?.toString()).toContain('cannot be decompressed');
    expect(letter?.value).toEqual(bomb.subarray(61));
  });

  it('that are hard to send on do not keep what comes behind them from being stored', async () => {
    const { brokers } = harness.connection;
    // The limit was raised on this topic, and not on that of the dead letters.
    await createTopicAdmin(harness.connection).alter(topic, { 'max.message.bytes': String(4 * 1024 * 1024) });
    const foreign = { key: 'foreign', value: 'no reading', partition: 0 };
    await sendAsForeigner(brokers, topic, [withNullHeader(foreign, 'empty')]);
    const long = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`h${n}`, 'h'.repeat(200_000)]));
    await sendAsForeigner(brokers, topic, [{ ...foreign, headers: long }]);
    const several = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`h${n}`, 'h'.repeat(200)]));
    await sendAsForeigner(
      brokers,
      topic,
      Array.from({ length: 1_000 }, () => ({ ...foreign, headers: several })),
    );
    await harness.send([{ value: readingLine({ value: '4242' }), partition: 0 }]);

    const isStored = () => harness.query('SELECT count() FROM readings WHERE value = 4242');
    await expect.poll(isStored, { timeout: 30_000 }).toEqual([[1]]);
    const dead = async () => (await harness.deadLetters()).filter(({ key }) => key?.toString() === 'foreign');
    await expect.poll(async () => (await dead()).length, { timeout: 30_000 }).toBe(1_002);
    // Batches are stored at the same time, so their dead letters come in any order.
    const offsetOf = ({ headers }: ConsumedMessage): number =>
      Number(headers?.[DEAD_LETTER_HEADERS.offset]?.toString());
    const [empty, cut, ...others] = (await dead()).toSorted((a, b) => offsetOf(a) - offsetOf(b));
    expect(empty?.headers?.['empty']).toEqual(Buffer.alloc(0));
    expect(cut?.headers?.['dead-letter-reason']?.toString()).toContain('10 headers');
    for (const { value, headers } of [empty, cut, ...others].filter((each) => each !== undefined)) {
      expect(value?.toString()).toBe('no reading');
      expect(headers?.['dead-letter-reason']?.toString()).toContain('not a JSON object');
    }
  });
});
