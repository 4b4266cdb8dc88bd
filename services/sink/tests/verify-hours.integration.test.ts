import { createTopicAdmin } from '@cellarman/kafka';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { sendAsForeigner } from '../../../libs/kafka/tests/foreign-producer.ts';
import type { ForeignMessage } from '../../../libs/kafka/tests/foreign-producer.ts';
import { openHarness, OUR_HEADERS } from './harness.ts';
import type { Harness } from './harness.ts';

const TIMEOUT = { timeout: 120_000 };
const HOUR_MS = 3_600_000;
const THIS_HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
/** The sink verifies this hour and the next one again and again; the others were checked a moment ago. */
const FIRST = THIS_HOUR - 22 * HOUR_MS;
const CHECKED = Array.from({ length: 27 }, (_, index) => THIS_HOUR - (25 - index) * HOUR_MS)
  .filter((hour) => hour !== FIRST && hour !== FIRST + HOUR_MS)
  .map((hour) => ({ hour: hour / 1_000, verified_at: hour / 1_000, checked_at: THIS_HOUR / 1_000 + 86_400 }));
const OFTEN = { VERIFY_INTERVAL_SECONDS: '1', LOG_LEVEL: 'debug' };

interface Given {
  minute: number;
  cellar?: string;
  /** Minutes from the receipt until the broker appended it. */
  lateBy?: number;
}

/** A message as ingest writes it, appended when it was received. */
function message(value: number | string, { minute, cellar = 'demo', lateBy = 0 }: Given): ForeignMessage {
  const receivedAt = FIRST + minute * 60_000 + 250;
  const fields = `"cellar":"${cellar}","rack":"r","keg":"k","value":${value},"timestamp":"${iso(FIRST)}"`;
  return {
    ...{ key: `${cellar}/r`, partition: 0, headers: OUR_HEADERS as Record<string, string> },
    value: `{${fields},"received_at":"${iso(receivedAt)}","key_id":"k"}`,
    timestamp: String(receivedAt + lateBy * 60_000 + 5),
  };
}

const iso = (at: number) => new Date(at).toISOString();
const invalid = (minute: number): ForeignMessage => ({ ...message(0, { minute }), value: '{"value":"no"}' });

describe('the verification of completed hours', { timeout: 400_000 }, () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await openHarness(inject('engines'));
    // So that messages can be as old as hours that have ended.
    await createTopicAdmin(harness.connection).alter(harness.env['READINGS_TOPIC'] ?? '', {
      'message.timestamp.type': 'CreateTime',
    });
    await harness.clickhouse.insert({ table: 'verified_hours', values: CHECKED, format: 'JSONEachRow' });
  });
  afterEach(() => harness.close());

  const send = (messages: readonly ForeignMessage[]) =>
    sendAsForeigner(harness.connection.brokers, harness.env['READINGS_TOPIC'] ?? '', messages);
  /** Of an hour and cellar: messages, acknowledged, stored, missing, duplicated, altered, dead letters. */
  const figures = async (cellar = 'demo', at = FIRST): Promise<unknown> =>
    (
      await harness.query(`SELECT messages, acknowledged, stored, missing, duplicated, altered, dead_letters
        FROM verified_hours FINAL WHERE hour = fromUnixTimestamp(${at / 1_000}) AND cellar = '${cellar}'`)
    )[0];
  const mutate = (query: string) =>
    harness.clickhouse.command({ query, clickhouse_settings: { mutations_sync: '2' } });

  it('finds every reading once, however often and whenever it was sent', async () => {
    await send([
      message(7, { minute: 0 }),
      // The same reading: at the same time, minutes later, and in the next hour.
      message('7.0', { minute: 0 }),
      message('-0', { minute: 1 }),
      message('70e-1', { minute: 20 }),
      message(1, { minute: 30, cellar: 'other' }),
      invalid(30),
      message('0.1', { minute: 59 }),
      message(7, { minute: 65 }),
      message(8, { minute: 65 }),
      // Published again hours after its receipt.
      message(9, { minute: 10, lateBy: 90 }),
    ]);
    await harness.startSink(OFTEN);
    await expect.poll(() => figures('', FIRST + HOUR_MS), TIMEOUT).toEqual([3, 2, 2, 0, 0, 0, 0]);
    expect(await figures()).toEqual([5, 3, 3, 0, 0, 0, 1]);
    expect(await figures('other')).toEqual([1, 1, 1, 0, 0, 0, 0]);
    expect(await figures('')).toEqual([6, 4, 4, 0, 0, 0, 1]);
  });

  it('notices within its interval that rows are gone, back, or altered', async () => {
    await send([1, 2, 3].map((value) => message(value, { minute: value })));
    const sink = await harness.startSink(OFTEN);
    await expect.poll(() => figures(), TIMEOUT).toEqual([3, 3, 3, 0, 0, 0, 0]);
    const metric = async () =>
      /^cellarman_sink_mismatched_readings\{kind="missing"\} (\S+)$/m.exec(
        (await sink.get('/metrics')).body,
      )?.[1];
    await expect.poll(metric, TIMEOUT).toBe('0');

    const [row] = await harness.query('SELECT * FROM readings_stored WHERE value = 2');
    await mutate('ALTER TABLE readings_stored DELETE WHERE value = 2');
    await expect.poll(() => figures(), TIMEOUT).toEqual([3, 3, 2, 1, 0, 0, 0]);
    await expect.poll(metric, TIMEOUT).toBe('1');
    expect(sink.log.some(({ level, msg }) => level === 'error' && msg.includes('do not match'))).toBe(true);
    const [found] = await harness.query("SELECT findings FROM verified_hours FINAL WHERE cellar = 'demo'");
    expect(JSON.parse((found?.[0] as string[])[0] ?? '')).toMatchObject({
      ...{ kind: 'missing', cellar: 'demo', rack: 'r', keg: 'k', value: 2, partition: 0, offset: 1 },
    });

    await harness.clickhouse.insert({
      table: 'readings_stored',
      values: [row],
      format: 'JSONCompactEachRow',
    });
    await expect.poll(() => figures(), TIMEOUT).toEqual([3, 3, 3, 0, 0, 0, 0]);
    await expect.poll(metric, TIMEOUT).toBe('0');

    // What only the table for recent readings lacks, and an altered value.
    await mutate('ALTER TABLE readings_by_time DELETE WHERE value = 1');
    await expect.poll(() => figures(), TIMEOUT).toEqual([3, 3, 2, 1, 0, 0, 0]);
    await harness.clickhouse.command({
      query: `INSERT INTO readings_stored SELECT * REPLACE (4 AS value) FROM (SELECT * FROM readings_stored WHERE value = 3)`,
    });
    await mutate('ALTER TABLE readings_stored DELETE WHERE value = 3');
    await expect.poll(() => figures(), TIMEOUT).toEqual([3, 3, 1, 2, 0, 1, 0]);
  });

  it('compares in parts what was received within two seconds, if it is too much for its memory', async () => {
    // Some in each part, by the topic and by ClickHouse alike.
    const sent = 30;
    await send(Array.from({ length: sent }, (_, index) => message(-1 - index, { minute: 5 })));
    const rows = 120_000;
    await harness.clickhouse.command({
      query: `INSERT INTO readings_stored (cellar, rack, keg, value, timestamp, received_at, key_id)
        SELECT 'demo', 'r', 'k', number, fromUnixTimestamp64Milli(${FIRST}), fromUnixTimestamp64Milli(${FIRST + 300_250}), 'k'
        FROM numbers(${rows})`,
    });
    await harness.startSink(OFTEN);
    await expect.poll(() => figures(), TIMEOUT).toEqual([sent, sent, sent, 0, 0, rows, 0]);
  });

  it('leaves nothing of a check in which the sink was killed, and verifies after the restart', async () => {
    await send(Array.from({ length: 3_000 }, (_, index) => message(index, { minute: index % 60 })));
    const slow = await harness.startSink({ ...OFTEN, VERIFY_MESSAGES_PER_SECOND: '10' });
    const isBegun = () =>
      slow.log.some(({ msg, hour }) => msg === 'verifying a completed hour' && hour === iso(FIRST));
    await expect.poll(isBegun, TIMEOUT).toBe(true);
    await slow.kill('SIGKILL');
    expect(await figures()).toBeUndefined();
    await harness.startSink(OFTEN);
    await expect.poll(() => figures(), TIMEOUT).toEqual([3_000, 3_000, 3_000, 0, 0, 0, 0]);
  });
});
