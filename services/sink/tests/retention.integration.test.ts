import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RetentionResponse } from '@cellarman/contracts';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openHarness } from './harness.ts';
import type { Harness } from './harness.ts';

const TIMEOUT = { timeout: 60_000 };
const TOKEN = 'a-token-for-the-tests';

/** Responds like key-service; the test sets the policy. */
async function startPolicyServer() {
  const state: { policy: Omit<RetentionResponse, 'epoch' | 'number'> | undefined; asked: number } = {
    policy: { defaultDays: 90, cellars: [] },
    asked: 0,
  };
  const server = createServer((request, response) => {
    state.asked++;
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}`;
    response.writeHead(isKnown ? (state.policy === undefined ? 503 : 200) : 401);
    response.end(JSON.stringify({ epoch: 'e', number: state.asked, ...state.policy }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

describe('retention', { timeout: 180_000 }, () => {
  let harness: Harness;
  let keyService: Awaited<ReturnType<typeof startPolicyServer>>;

  beforeEach(async () => {
    keyService = await startPolicyServer();
    harness = await openHarness(inject('engines'), {
      KEY_SERVICE_URL: keyService.url,
      INTERNAL_TOKEN: TOKEN,
      RETENTION_POLL_INTERVAL_MS: '100',
      RETENTION_MATERIALIZE_INTERVAL_SECONDS: '0',
    });
    // One reading a day, today's first, in two cellars; and one of a clock that was never set.
    await harness.clickhouse.command({
      query: `INSERT INTO readings_stored
        SELECT ['a', 'b'][number % 2 + 1], 'r', 'k', number, now64(9) - toIntervalDay(intDiv(number, 2)), now(), 'k'
        FROM numbers(120)
        UNION ALL SELECT 'a', 'r', 'k', -1, toDateTime64('1960-01-01 00:00:00', 9, 'UTC'), now(), 'k'`,
    });
  });
  afterEach(async () => {
    await harness.close();
    await keyService.close();
  });

  const seen = () => harness.query('SELECT cellar, count() FROM readings GROUP BY cellar ORDER BY cellar');
  const setPolicy = (days: Record<string, number>, defaultDays = 90) => {
    keyService.state.policy = {
      defaultDays,
      cellars: Object.entries(days).map(([cellar, value]) => ({ cellar, days: value })),
    };
  };

  it('hides rows in the view when it is shortened, and shows them again when it is lengthened', async () => {
    expect(await seen()).toEqual([
      ['a', 60],
      ['b', 60],
    ]);
    // The parts learn of the first policy only, so that no merge removes a row.
    const sink = await harness.startSink({ RETENTION_MATERIALIZE_INTERVAL_SECONDS: '3600' });
    await expect
      .poll(() => sink.log.some(({ msg }) => msg.includes('materializing the new TTL')), TIMEOUT)
      .toBe(true);
    setPolicy({ a: 7 });
    await expect.poll(seen, TIMEOUT).toEqual([
      ['a', 7],
      ['b', 60],
    ]);
    setPolicy({ a: 7 }, 10);
    await expect.poll(seen, TIMEOUT).toEqual([
      ['a', 7],
      ['b', 10],
    ]);
    setPolicy({ a: 30 });
    const lengthened = [
      ['a', 30],
      ['b', 60],
    ];
    await expect.poll(seen, TIMEOUT).toEqual(lengthened);

    // It stays as it is while key-service is unavailable.
    keyService.state.policy = undefined;
    await expect
      .poll(() => sink.log.some(({ msg }) => msg.includes('keeping the current one')), TIMEOUT)
      .toBe(true);
    expect(await seen()).toEqual(lengthened);
    expect((await sink.get('/readyz')).status).toBe(200);
  });

  it('removes rows physically through the TTL of the table, and only those', async () => {
    await harness.clickhouse.command({
      query: 'ALTER TABLE readings_stored MODIFY SETTING merge_with_ttl_timeout = 1',
    });
    setPolicy({ a: 7 }, 365);
    await harness.startSink();
    await expect
      .poll(
        () =>
          harness.query(
            'SELECT cellar, count(), min(value) FROM readings_stored GROUP BY cellar ORDER BY cellar',
          ),
        TIMEOUT,
      )
      .toEqual([
        ['a', 7, 0],
        ['b', 60, 1],
      ]);
  });

  it('alters the table only when the policy differs, also after a restart', async () => {
    setPolicy({ b: 30 });
    const alterations = (sink: { log: readonly { msg: string }[] }) =>
      sink.log.filter(({ msg }) => msg.includes('set the TTL of the table')).length;
    const first = await harness.startSink();
    await expect.poll(() => alterations(first), TIMEOUT).toBe(1);
    const asked = keyService.state.asked;
    await expect.poll(() => keyService.state.asked, TIMEOUT).toBeGreaterThan(asked + 3);
    expect(alterations(first)).toBe(1);
    await first.kill('SIGTERM');

    const second = await harness.startSink();
    const askedAgain = keyService.state.asked;
    await expect.poll(() => keyService.state.asked, TIMEOUT).toBeGreaterThan(askedAgain + 3);
    expect(alterations(second)).toBe(0);
    const [[definition]] = (await harness.query(
      `SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND name = 'readings_stored'`,
    )) as [[string]];
    expect(definition).toContain(`TTL timestamp + toIntervalDay(transform(cellar, ['b'], [30], 90))`);
  });
});
