import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

/** What a query may take, and what happens beyond it. One at a time, and none waits. */
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    MAX_QUERIES: '1',
    MAX_WAITING_QUERIES: '0',
    QUERY_TIMEOUT_SECONDS: '60',
    LAST_USED_INTERVAL_MS: '100',
  });
  // Each reading of this cellar takes ClickHouse a second to look at.
  await harness.clickhouse.command({ query: 'DROP VIEW latest_readings' });
  await harness.clickhouse.command({
    query: `CREATE VIEW latest_readings AS
      SELECT cellar, rack, keg, latest.1 AS timestamp, latest.2 AS value, latest.3 AS received_at, last_received_at
      FROM series_latest FINAL WHERE cellar != 'slow' OR sleepEachRow(1) = 0
      SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 60000000`,
  });
  await harness.store(Array.from({ length: 40 }, (_, index) => ({ cellar: 'slow', rack: `r${index}` })));
  await harness.store([{ cellar: 'quick' }]);
});
afterAll(() => harness.stop());

const running = async () => {
  const answer = await harness.clickhouse.query({
    query: `SELECT count() AS queries FROM system.processes WHERE query LIKE '%latest_readings%' AND query NOT LIKE '%system.processes%'`,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  return (await answer.json<{ queries: number }>())[0]?.queries;
};

/** Sends a request, and disconnects when the test says so. */
function askAndLeave(base: string, cellar: string) {
  const asked = request(`${base}/api/v1/query/cellars/${cellar}/latest`, {
    headers: { cookie: harness.cookie },
  });
  asked.on('error', () => undefined);
  asked.end();
  return async () => {
    const closed = new Promise((resolve) => asked.once('close', resolve));
    asked.destroy();
    await closed;
  };
}

describe('queries', () => {
  test.each(['directly', 'through key-service'])(
    'beyond those that run get Retry-After, and a client that leaves frees its slot: %s',
    async (way) => {
      const base = way === 'directly' ? harness.queryUrl : harness.keyServiceUrl;
      const leave = askAndLeave(base, 'slow');
      await expect.poll(running).toBe(1);
      const other = await harness.ask<{ code: string }>('/cellars/quick/latest');
      expect([other.status, other.body.code, other.headers.get('retry-after')]).toEqual([
        503,
        'unavailable',
        '1',
      ]);
      await leave();
      // Long before it would have ended by itself.
      await expect.poll(running).toBe(0);
      expect((await harness.ask('/cellars/quick/latest')).status).toBe(200);
    },
  );
});

describe('a key that reads', () => {
  test('shows when it was last used', async () => {
    const { id, secret } = await harness.createKey('quick');
    const ask = async () => (await harness.ask('/cellars/quick/latest', { 'x-api-key': secret })).status;
    // What the tests before it ran may not have left its slot yet.
    await expect.poll(ask).toBe(200);
    const lastUsedAt = async () =>
      (await harness.manage<{ lastUsedAt: string | null }>('GET', `/api/v1/cellars/quick/keys/${id}`)).body
        .lastUsedAt;
    await expect.poll(lastUsedAt).not.toBeNull();
  });
});
