import { isConsumedUntil } from '@cellarman/kafka';
import { createLogger } from '@cellarman/telemetry';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { insertLines } from '../src/store/insert-lines.ts';
import { startHourlyRollup } from '../src/hourly-rollup/hourly-rollup.ts';
import { rollUpHour } from '../src/hourly-rollup/roll-up-hour.ts';
import { openHarness } from './harness.ts';
import type { Sent, Harness } from './harness.ts';

const TIMEOUT = { timeout: 60_000 };
const HOUR_MS = 3_600_000;
/** Hours that have ended long ago. */
const FIRST = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 5 * HOUR_MS;

/** A reading that ingest received this number of minutes after FIRST. With the same value it is the same reading, resent. */
function reading(value: number, minute: number): Sent {
  const receivedAt = new Date(FIRST + minute * 60_000 + 250).toISOString();
  const fields = {
    ...{ cellar: 'demo', rack: 'r', keg: 'k', value, key_id: 'k' },
    ...{ timestamp: new Date(FIRST).toISOString(), received_at: receivedAt },
  };
  // In one partition they are stored in one insert: what comes later than its hour was counted is not what is tested.
  return { partition: 0, key: 'demo/r', value: JSON.stringify(fields) };
}

describe('the counts of the past', { timeout: 180_000 }, () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await openHarness(inject('engines'));
  });
  afterEach(() => harness.close());

  const settled = () =>
    harness.query(`SELECT cellar, toUnixTimestamp(minute) - ${FIRST / 1_000}, readings
      FROM settled_counts FINAL ORDER BY minute`);
  const until = async () =>
    (await harness.query(`SELECT toUnixTimestamp(max(until)) - ${FIRST / 1_000} FROM settled_until`))[0]?.[0];

  const store = ({ value }: Sent) =>
    insertLines(harness.clickhouse, {
      table: 'readings_stored',
      lines: Buffer.from(`${value.toString()}\n`),
      rows: 1,
    });

  it('hold each reading in the minute in which it came first, hour after hour', async () => {
    await harness.send([
      reading(1, 0),
      reading(2, 0),
      reading(3, 59),
      reading(1, 62),
      reading(4, 62),
      reading(5, 185),
    ]);
    const first = await harness.startSink();
    await expect.poll(() => harness.query('SELECT count() FROM readings'), TIMEOUT).toEqual([[5]]);
    await first.kill('SIGKILL');
    // It may have counted already, and begun a second time with an hour.
    await harness.startSink();
    await expect.poll(until, TIMEOUT).toBe((4 * HOUR_MS) / 1_000);
    expect(await settled()).toEqual([
      ['demo', 0, 2],
      ['demo', 59 * 60, 1],
      ['demo', 62 * 60, 1],
      ['demo', 185 * 60, 1],
    ]);
  });

  it('hold an hour whose readings were stored during the query to Kafka about a later one', async () => {
    await store(reading(1, 125));
    let isAsked = false;
    const counts = startHourlyRollup({
      clickhouse: harness.clickhouse,
      async isStoredUntil() {
        if (!isAsked) await store(reading(2, 5));
        isAsked = true;
        return true;
      },
      isMine: () => true,
      logger: createLogger({ service: 'sink', version: '0', level: 'silent' }),
      delayMs: 0,
    });
    await expect.poll(until, TIMEOUT).toBe((3 * HOUR_MS) / 1_000);
    await counts.stop();
    expect(await settled()).toEqual([
      ['demo', 5 * 60, 1],
      ['demo', 125 * 60, 1],
    ]);
  });

  it.each([
    ['minute by minute', 0, 60],
    ['in parts of several minutes', 2, 3],
    ['in one statement', 100, 1],
  ])('are the same when an hour is counted %s', async (_how, rowsOfAStatement, statements) => {
    const minutes = [0, 0, 7, 23, 59];
    for (const [value, minute] of minutes.entries()) await store(reading(value, minute));
    await store(reading(0, 30));
    const { clickhouse } = harness;
    const inserts: unknown[] = [];
    const counting = Object.assign(Object.create(clickhouse) as typeof clickhouse, {
      command: (params: Parameters<typeof clickhouse.command>[0]) => {
        if (params.query.includes('received_readings')) inserts.push(params.query_params);
        return clickhouse.command(params);
      },
    });
    await rollUpHour(counting, new Date(FIRST), undefined, rowsOfAStatement);
    expect(inserts).toHaveLength(statements);
    expect(await settled()).toEqual([
      ['demo', 0, 2],
      ['demo', 7 * 60, 1],
      ['demo', 23 * 60, 1],
      ['demo', 59 * 60, 1],
    ]);
    expect(await until()).toBe(HOUR_MS / 1_000);
  });

  it('report their age while an hour cannot be counted; VERIFY_HOURS=false verifies none', async () => {
    await harness.send([reading(1, 0)]);
    // Without the table no hour can be counted.
    await harness.clickhouse.command({ query: 'RENAME TABLE settled_counts TO settled_counts_away' });
    const sink = await harness.startSink({ VERIFY_HOURS: 'false' });
    const age = async () => {
      const { body: metrics } = await sink.get('/metrics');
      return Number(/^cellarman_sink_hourly_counts_age_seconds (\S+)$/m.exec(metrics)?.[1]);
    };
    // Its hour ended four hours ago, and the delay is part of when it is due.
    await expect.poll(age, TIMEOUT).toBeGreaterThan(3.5 * 3_600);
    await harness.clickhouse.command({ query: 'RENAME TABLE settled_counts_away TO settled_counts' });
    await expect.poll(age, TIMEOUT).toBeLessThan(120);
    expect(await settled()).toEqual([['demo', 0, 1]]);
    expect(await harness.query('SELECT count() FROM verified_hours')).toEqual([[0]]);
    expect((await sink.get('/metrics')).body).not.toContain('cellarman_sink_verification_age_seconds');
  });

  it('wait until everything of the hour is stored', async () => {
    const { READINGS_TOPIC: topic = '', CONSUMER_GROUP: groupId = '' } = harness.env;
    const isStoredUntil = (timestampMs: number) =>
      isConsumedUntil(harness.connection, { topic, groupId, timestampMs });
    const before = Date.now();
    expect(await isStoredUntil(before)).toBe(true);
    await harness.send([reading(1, 0)]);
    // The broker's clock counts, in whole milliseconds.
    await expect.poll(() => Date.now()).toBeGreaterThan(before + 1);
    const behind = Date.now() + 1;
    expect(await isStoredUntil(behind)).toBe(false);
    expect(await isStoredUntil(before - HOUR_MS)).toBe(true);
    await harness.startSink();
    await expect.poll(() => isStoredUntil(behind), TIMEOUT).toBe(true);
  });
});
