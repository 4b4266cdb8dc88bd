import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { startCuttableProxy } from './cuttable-proxy.ts';
import type { CuttableProxy } from './cuttable-proxy.ts';
import { readingLine } from '../../../libs/reading/tests/reading-line.ts';
import { openHarness } from './harness.ts';
import type { Harness } from './harness.ts';

const TIMEOUT = { timeout: 60_000 };
/** One reading for each number; the sum distinguishes lost from duplicated. */
const numbered = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    key: `demo/rack-${(first + index) % 50}`,
    value: readingLine({ rack: `"rack-${(first + index) % 50}"`, value: String(first + index) }),
  }));
const inView = 'SELECT count(), uniqExact(value), sum(value) FROM readings';
const exactly = (count: number) => [[count, count, (count * (count - 1)) / 2]];

describe('the sink under failures', { timeout: 180_000 }, () => {
  let harness: Harness;
  let proxy: CuttableProxy;

  beforeEach(async () => {
    const engines = inject('engines');
    proxy = await startCuttableProxy(engines.clickhouseUrl);
    harness = await openHarness(engines);
  });
  afterEach(async () => {
    await harness.close();
    await proxy.close();
  });

  it('killed again and again in the middle of batches, loses nothing and doubles nothing', async () => {
    // Small batches and a slow commit: each kill finds rows that are inserted and not committed.
    const small = { BATCH_MAX_ROWS: '500', BATCH_MAX_WAIT_MS: '10' };
    const bad = { key: 'demo/broken', value: '{}' };
    for (let first = 0; first < 20_000; first += 1_000) await harness.send([...numbered(first, 1_000), bad]);
    for (const atLeast of [1, 9_000]) {
      const sink = await harness.startSink(small);
      await expect
        .poll(async () => Number((await harness.query('SELECT count() FROM readings'))[0]?.[0]), {
          ...TIMEOUT,
          interval: 5,
        })
        .toBeGreaterThanOrEqual(atLeast);
      expect(await sink.kill('SIGKILL')).toBeNull();
    }
    await harness.startSink(small);
    await expect.poll(() => harness.query(inView), TIMEOUT).toEqual(exactly(20_000));
    // A dead letter may exist twice; its origin identifies it.
    const origins = async () =>
      new Set((await harness.deadLetters()).map(({ headers }) => headers?.['dead-letter-offset']?.toString()))
        .size;
    await expect.poll(origins, TIMEOUT).toBe(20);
  });

  it('waits while ClickHouse is away and goes on when it is back', async () => {
    const sink = await harness.startSink({ CLICKHOUSE_URL: proxy.url });
    await harness.send(numbered(0, 1_000));
    await expect.poll(() => harness.query(inView), TIMEOUT).toEqual(exactly(1_000));

    proxy.cut();
    await harness.send(numbered(1_000, 5_000));
    await expect.poll(async () => (await sink.get('/readyz')).status, TIMEOUT).toBe(503);
    expect((await sink.get('/readyz')).body).toContain('clickhouse');
    expect((await sink.get('/livez')).status).toBe(200);

    proxy.restore();
    await expect.poll(() => harness.query(inView), TIMEOUT).toEqual(exactly(6_000));
    await expect.poll(async () => (await sink.get('/readyz')).status, TIMEOUT).toBe(200);
  });

  it('stays in the group, with bounded memory, while ClickHouse is away for longer than a session lasts', async () => {
    const sink = await harness.startSink({ CLICKHOUSE_URL: proxy.url, BATCH_MAX_ROWS: '100' });
    await harness.send(numbered(0, 10));
    await expect.poll(() => harness.query(inView), TIMEOUT).toEqual(exactly(10));
    proxy.cut();
    await harness.send(numbered(10, 5_000));
    const metric = async (name: string) => {
      const { body } = await sink.get('/metrics');
      return Number(new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'm').exec(body)?.[1]);
    };
    // The session of a member that is not heard of ends after 7 seconds.
    await expect.poll(() => metric('cellarman_sink_oldest_unflushed_seconds'), TIMEOUT).toBeGreaterThan(12);
    expect(await metric('cellarman_sink_gathered_messages')).toBeLessThanOrEqual(100);
    expect(await metric('cellarman_sink_inserts_in_flight')).toBeLessThanOrEqual(2);

    proxy.restore();
    await expect.poll(() => harness.query(inView), TIMEOUT).toEqual(exactly(5_010));
    expect(sink.log.filter(({ msg }) => msg === 'partitions assigned')).toHaveLength(1);
  });

  it('inserts again when the response was lost, and the view shows it once', async () => {
    const sink = await harness.startSink({ CLICKHOUSE_URL: proxy.url });
    await harness.send(numbered(0, 10));
    await expect.poll(() => harness.query(inView), TIMEOUT).toEqual(exactly(10));
    proxy.loseNextInsertsAnswer();
    await harness.send(numbered(10, 500));
    await expect.poll(() => harness.query(inView), TIMEOUT).toEqual(exactly(510));
    // The rows are visible before the sink knows that the response is lost.
    await expect
      .poll(async () => (await sink.get('/metrics')).body, TIMEOUT)
      .toMatch(/^cellarman_sink_retries_total\{step="insert".*\} 1$/m);
  });

  it('starts before ClickHouse does', async () => {
    proxy.cut();
    const sink = await harness.startSink({ CLICKHOUSE_URL: proxy.url });
    await harness.send(numbered(0, 100));
    await expect.poll(async () => (await sink.get('/readyz')).body, TIMEOUT).toContain('clickhouse');
    proxy.restore();
    await expect.poll(() => harness.query(inView), TIMEOUT).toEqual(exactly(100));
  });

  it('stores and commits what it has on SIGTERM, so that the next one has nothing to repeat', async () => {
    const sink = await harness.startSink({ CLICKHOUSE_URL: proxy.url, INSERTS_IN_FLIGHT: '1' });
    await harness.send(numbered(0, 1));
    await expect.poll(() => harness.query(inView), TIMEOUT).toEqual(exactly(1));
    // One batch cannot be inserted, and the next one gathers.
    proxy.cut();
    const metrics = async () => (await sink.get('/metrics')).body;
    await harness.send(numbered(1, 1));
    await expect.poll(metrics, TIMEOUT).toMatch(/^cellarman_sink_inserts_in_flight(\{.*\})? 1$/m);
    await harness.send(numbered(2, 998));
    await expect.poll(metrics, TIMEOUT).toMatch(/^cellarman_sink_gathered_messages(\{.*\})? 998$/m);
    const stopped = sink.kill('SIGTERM');
    proxy.restore();
    expect(await stopped).toBe(0);
    expect(await harness.query(inView)).toEqual(exactly(1_000));

    const next = await harness.startSink();
    await harness.send(numbered(1_000, 1));
    await expect.poll(() => harness.query(inView), TIMEOUT).toEqual(exactly(1_001));
    // The row is visible a moment before the sink has the response to the insert.
    await expect
      .poll(async () => (await next.get('/metrics')).body, TIMEOUT)
      .toMatch(/^cellarman_sink_rows_inserted_total(\{.*\})? 1$/m);
  });

  it('shares the work with a second sink, whatever moves between them', async () => {
    const first = await harness.startSink();
    await harness.send(numbered(0, 5_000));
    await harness.startSink();
    await harness.send(numbered(5_000, 5_000));
    await expect.poll(() => harness.query(inView), TIMEOUT).toEqual(exactly(10_000));
    await first.kill('SIGKILL');
    await harness.send(numbered(10_000, 5_000));
    await expect.poll(() => harness.query(inView), TIMEOUT).toEqual(exactly(15_000));
  });
});
