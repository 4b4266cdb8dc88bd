import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { playRound } from './play-round.ts';
import { connectionsCut, connectionsSlow, connectionsStalled } from './rounds/connections.ts';
import { killEach, pauseEach, terminateEach } from './rounds/every-process.ts';
import { partitionsGrow } from './rounds/partitions-grow.ts';
import { redisEmptied } from './rounds/redis-emptied.ts';
import { PROXIED, startHarness } from './harness.ts';
import type { Harness } from './harness.ts';
import { countMischarted, viewOf } from './stored-rows.ts';

/*
 * The short version of each round that needs no other machine and no root, on one running product. The long ones:
 * `npx -y pnpm@12 faults`.
 */

// A machine may be busy, and nothing in here is about time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ proxied: PROXIED });
});

afterAll(() => harness.stop());

test.each([
  killEach,
  terminateEach,
  pauseEach,
  connectionsCut,
  connectionsStalled,
  connectionsSlow,
  redisEmptied,
  // Later rounds play on the larger topic.
  partitionsGrow,
])('$name', async (round) => {
  expect((await playRound(harness, round)).problems).toEqual([]);
});

test('a reading that a chart shows otherwise, and a latest value that is not the latest, are found', async () => {
  const access = viewOf(harness.product.run());
  const view = { ...access, cellar: 'planted' };
  const client = createClient(access);
  try {
    await client.insert({
      table: 'readings_stored',
      values: [1, 2].map((value) => ({
        ...{ cellar: view.cellar, rack: 'r', keg: 'k', value, key_id: 'key' },
        ...{ timestamp: new Date().toISOString(), received_at: new Date().toISOString() },
      })),
      format: 'JSONEachRow',
      clickhouse_settings: { date_time_input_format: 'best_effort' },
    });
    expect(await countMischarted(view)).toBe(0);
    const plant = (table: string, change: string) =>
      client.command({
        query: `INSERT INTO ${table} SELECT * REPLACE (${change}) FROM ${table} WHERE cellar = 'planted'`,
      });
    await plant('readings_by_time', 'value + 7 AS value');
    expect(await countMischarted(view)).toBe(2);
    // It stands for another one, so each side has what the other lacks.
    await plant('series_latest', '(latest.1, latest.2 + 7, latest.3) AS latest');
    expect(await countMischarted(view)).toBe(4);
  } finally {
    await client.close();
  }
});
