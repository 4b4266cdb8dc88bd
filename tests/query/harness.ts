import { randomBytes } from 'node:crypto';
import { clickhouseLogin, clickhouseVariables, HOST, unusedPorts } from '@cellarman/local-stack';
import { startService } from '@cellarman/lifecycle';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { expect, inject } from 'vitest';
import { loadConfig as loadKeyServiceConfig } from '../../services/key-service/src/config.ts';
import { keyService as keyServiceDefinition } from '../../services/key-service/src/start.ts';
import { createTestDatabase } from '../../services/key-service/tests/test-database.ts';
import { loadConfig as loadQueryConfig } from '../../services/query/src/config.ts';
import { query as queryDefinition } from '../../services/query/src/start.ts';
import { migrateTables } from '../../services/sink/src/migrate/migrate-tables.ts';
import type { ClickHouseAccess } from './killable-clickhouse.ts';

/** A row as the sink stores it; what is left out is filled in. */
export interface Row {
  cellar?: string;
  rack?: string;
  keg?: string;
  value?: number;
  /** ISO 8601 with up to nine digits. */
  timestamp?: string;
  received_at?: string;
  key_id?: string;
}

export interface Answer<Body = never> {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

/** Query and key-service on real engines, with databases of their own. */
export interface Harness {
  /** Base URLs. */
  queryUrl: string;
  keyServiceUrl: string;
  clickhouse: ClickHouseClient;
  owner: { email: string; password: string };
  /** The cookie of the owner. */
  cookie: string;
  /** In one insert. */
  store(rows: readonly Row[]): Promise<void>;
  /** Calls key-service as the owner. */
  manage<Body>(method: string, path: string, body?: object): Promise<Answer<Body>>;
  /** Requests an internal route of key-service. */
  internal<Body>(method: string, path: string, body: object): Promise<Answer<Body>>;
  /** Makes a cellar and an API key of it. */
  createKey(cellar: string, settings?: object): Promise<{ id: string; secret: string }>;
  /** Calls query, `/cellars` being the path; as the owner unless there are other headers. */
  ask<Body>(path: string, headers?: Record<string, string>): Promise<Answer<Body>>;
  stop(): Promise<void>;
}

const TOKEN = 'internal-token-of-the-tests';
const ALERTS_TOKEN = 'token-for-alert-rules-of-the-tests';
const ADMIN = { email: 'admin@example.com', password: 'correct horse battery staple' };
const runStep = <Result>(_name: string, run: () => Promise<Result>) => run();

/**
 * @param env of query
 * @param access to a ClickHouse of one's own, instead of the one of all tests
 */
export async function startHarness(
  env: Record<string, string> = {},
  access: ClickHouseAccess = inject('engines'),
  keyServiceEnv: Record<string, string> = {},
): Promise<Harness> {
  const engines = inject('engines');
  const id = randomBytes(5).toString('hex');
  const database = `query_test_${id}`;
  const clickhouseOptions = { ...clickhouseLogin(access), log: { level: ClickHouseLogLevel.OFF } };
  const server = createClient(clickhouseOptions);
  await server.command({ query: `CREATE DATABASE ${database}` });
  await server.close();
  const clickhouse = createClient({ ...clickhouseOptions, database });
  await migrateTables(clickhouse, { log: () => undefined });

  const [keyServicePort = 0] = await unusedPorts(1);
  const keyServiceUrl = `http://${HOST}:${keyServicePort}`;
  const common = { LOG_LEVEL: 'silent', DEREGISTRATION_DELAY_MS: '0', INTERNAL_TOKEN: TOKEN, ALERTS_TOKEN };
  const queryConfig = loadQueryConfig({
    ...common,
    PORT: '0',
    KEY_SERVICE_URL: keyServiceUrl,
    ...clickhouseVariables(access),
    CLICKHOUSE_DATABASE: database,
    ...env,
  });
  const query = await startService(queryDefinition, queryConfig);
  const postgres = await createTestDatabase(engines.databaseUrl);
  const keyServiceConfig = loadKeyServiceConfig({
    ...common,
    PORT: String(keyServicePort),
    QUERY_URL: query.url,
    DATABASE_URL: postgres.url,
    REDIS_URL: engines.redisUrl,
    REDIS_PREFIX: `query-test:${id}:`,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...keyServiceEnv,
  });
  const keyService = await startService(keyServiceDefinition, keyServiceConfig);

  const call = async <Body>(url: string, init: RequestInit): Promise<Answer<Body>> => {
    const response = await fetch(url, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : undefined) as Body,
    };
  };
  const manage = <Body>(method: string, path: string, body?: object, cookie = '') =>
    call<Body>(`${keyServiceUrl}${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const signedIn = await manage('POST', '/api/v1/session', ADMIN);
  expect(signedIn.status).toBe(201);
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';

  return {
    queryUrl: query.url,
    keyServiceUrl,
    clickhouse,
    owner: ADMIN,
    cookie,
    async store(rows) {
      const now = new Date().toISOString();
      await clickhouse.insert({
        table: 'readings_stored',
        values: rows.map((row) => ({
          ...{
            cellar: 'demo',
            rack: 'r',
            keg: 'k',
            value: 1,
            timestamp: now,
            received_at: now,
            key_id: 'key',
          },
          ...row,
        })),
        format: 'JSONEachRow',
        clickhouse_settings: { date_time_input_format: 'best_effort' },
      });
    },
    internal: (method, path, body) =>
      call(`${keyServiceUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    manage: (method, path, body) => manage(method, path, body, cookie),
    async createKey(cellar, settings = {}) {
      // It may be there already.
      await manage('POST', '/api/v1/cellars', { name: cellar }, cookie);
      const answer = await manage<{ secret: string; key: { id: string } }>(
        'POST',
        `/api/v1/cellars/${cellar}/keys`,
        { name: 'reader', scopes: ['read'], ...settings },
        cookie,
      );
      expect(answer.status, answer.text).toBe(201);
      return { id: answer.body.key.id, secret: answer.body.secret };
    },
    ask: (path, headers = { cookie }) => call(`${query.url}/api/v1/query${path}`, { headers }),
    async stop() {
      await keyService.stop(runStep);
      await query.stop(runStep);
      await postgres.stop();
      await clickhouse.command({ query: `DROP DATABASE ${database}` });
      await clickhouse.close();
    },
  };
}
