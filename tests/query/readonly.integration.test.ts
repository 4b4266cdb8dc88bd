import { createReadiness } from '@cellarman/lifecycle';
import type { Readiness } from '@cellarman/lifecycle';
import { clickhouseLogin } from '@cellarman/local-stack';
import { createLogger } from '@cellarman/telemetry';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { createApp } from '../../services/query/src/app.ts';
import { createSelect } from '../../services/query/src/clickhouse/select.ts';
import { createSlots } from '../../services/query/src/clickhouse/slots.ts';
import { watchClickHouse } from '../../services/query/src/clickhouse/watch.ts';
import { withoutBounds } from '../../services/query/tests/without-bounds.ts';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

/** Query as a user who may only read: a session whose `readonly` is set, as a profile of its user would set it. */
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  await harness.store([{ cellar: 'demo', rack: 'r', keg: 'k', value: 1.5 }]);
});
afterAll(() => harness.stop());

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const BOUNDS = { timeoutSeconds: 60, maxMemoryBytes: 1_000_000_000 };

async function connect(): Promise<ClickHouseClient> {
  const answer = await harness.clickhouse.query({
    query: 'SELECT currentDatabase() AS name',
    format: 'JSONEachRow',
  });
  const [database] = await answer.json<{ name: string }>();
  const clickhouse = createClient({
    ...clickhouseLogin(inject('engines')),
    database: database?.name ?? '',
    session_id: crypto.randomUUID(),
    log: { level: ClickHouseLogLevel.OFF },
  });
  cleanUps.push(() => clickhouse.close());
  await clickhouse.command({ query: 'SET readonly = 2' });
  return clickhouse;
}

/** As if query sent a setting that the profile forbids. */
function withForbiddenSetting(clickhouse: ClickHouseClient): ClickHouseClient {
  const query = clickhouse.query.bind(clickhouse);
  clickhouse.query = (options) =>
    query({ ...options, clickhouse_settings: { ...options.clickhouse_settings, readonly: '1' } });
  return clickhouse;
}

async function startApp(clickhouse: ClickHouseClient) {
  const app = await createApp({
    keyService: {
      findKey: async () => null,
      kegUnits: async () => [{ keg: 'k', unit: 'm' }],
      lastRejection: async () => null,
      findSession: async () => ({
        administrator: { id: 'a1', email: 'a@example.com', role: 'owner', cellars: null },
        endsAt: '2099-01-01T00:00:00Z',
      }),
    },
    ...withoutBounds,
    selectAs: createSelect({
      clickhouse,
      slots: createSlots({ running: 1, runningPerReader: 1, waiting: 0, waitMs: 0 }),
      streamMaxSeconds: 60,
      ...BOUNDS,
    }),
    clock: () => new Date(),
    readiness: createReadiness(),
    metricsText: async () => '',
    logger: createLogger({ service: 'test', version: '0', level: 'silent' }),
  });
  cleanUps.push(() => app.close());
  return (path: string) =>
    app.inject({ url: `/api/v1/query/cellars${path}`, headers: { cookie: 'cellarman-session=live' } });
}

const ROUTES = [
  '',
  '/demo/overview',
  '/demo/counts',
  '/demo/counts?from=2026-01-01T00:00:00Z&to=2026-01-08T00:00:00Z&step=3600',
  '/demo/racks?search=r&prefix=r&keg=k&silentForSeconds=0',
  '/demo/kegs?search=k',
  '/demo/rack?rack=r',
  '/demo/rack/keys?rack=r',
  '/demo/reading?rack=r&keg=k&timestamp=2026-11-21T06:30:00Z&value=1',
  '/demo/latest',
  '/demo/series?rack=r&keg=k',
  ...['json', 'ndjson', 'csv-safe', 'csv-plain'].map((format) => `/demo/readings?limit=1&format=${format}`),
];

describe('a user who may only read', () => {
  test.each(ROUTES)('runs every statement with the settings that query sends: %s', async (path) => {
    const ask = await startApp(await connect());
    const response = await ask(path);
    expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
  });

  test('makes the replica ready', async () => {
    expect(await reportOf(await connect())).toEqual({ ready: true });
  });

  test('may write nothing', async () => {
    const clickhouse = await connect();
    const write = clickhouse.command({ query: 'TRUNCATE TABLE readings_stored' });
    await expect(write).rejects.toMatchObject({ code: '164' });
  });
});

describe('a user whose profile forbids the settings that query sends', () => {
  test('is no failure of the request', async () => {
    const ask = await startApp(withForbiddenSetting(await connect()));
    const response = await ask('/demo/latest');
    expect([response.statusCode, response.json()]).toMatchObject([503, { code: 'unavailable' }]);
  });

  test('keeps the replica from being ready, with the reason', async () => {
    expect(await reportOf(withForbiddenSetting(await connect()))).toMatchObject({
      ready: false,
      reason: expect.stringContaining('readonly') as unknown,
    });
  });
});

/** What `/readyz` reports of ClickHouse after the first check. */
async function reportOf(clickhouse: ClickHouseClient) {
  const changed = Promise.withResolvers<ReturnType<Readiness['report']>['parts'][string]>();
  const readiness = createReadiness({
    parts: ['clickhouse'],
    onChange: (_part, report) => changed.resolve(report),
  });
  const logger = createLogger({ service: 'test', version: '0', level: 'silent' });
  const watch = watchClickHouse({ clickhouse, readiness, logger, ...BOUNDS });
  cleanUps.push(() => watch.stop());
  return changed.promise;
}
