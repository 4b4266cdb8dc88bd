import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../services/query/src/config.ts';
import { ROOT } from './chart/paths.ts';

/** The user of query in the examples: its profile must allow what query sends, and its quota must be its own. */
const config = loadConfig({
  ...{
    KEY_SERVICE_URL: 'http://key-service',
    INTERNAL_TOKEN: 'a'.repeat(16),
    CLICKHOUSE_URL: 'http://clickhouse',
  },
});
const read = (path: string) => readFile(join(ROOT, path), 'utf8');

interface User {
  readonly: string | undefined;
  maxExecutionTime: number;
  maxMemoryUsage: number;
  quota: string | undefined;
  quotaQueries: number;
}

async function ofAltinity(): Promise<User> {
  const { spec } = parse(await read('deploy/examples/clickhouse-altinity.yaml')) as {
    spec: { configuration: Record<'users' | 'profiles' | 'quotas', Record<string, string>> };
  };
  const { users, profiles, quotas } = spec.configuration;
  const [profile, quota] = [users['query/profile'] ?? '', users['query/quota'] ?? ''];
  return {
    readonly: profiles[`${profile}/readonly`],
    maxExecutionTime: Number(profiles[`${profile}/constraints/max_execution_time/max`]),
    maxMemoryUsage: Number(profiles[`${profile}/constraints/max_memory_usage/max`]),
    quota,
    quotaQueries: Number(quotas[`${quota}/interval/queries`]),
  };
}

async function ofCompose(): Promise<User> {
  const xml = await read('deploy/compose/clickhouse-query-user.xml');
  const find = (pattern: RegExp) => pattern.exec(xml)?.[1];
  return {
    readonly: find(/<readonly>(.*)<\/readonly>/),
    maxExecutionTime: Number(find(/<max_execution_time><max>(.*)<\/max>/)),
    maxMemoryUsage: Number(find(/<max_memory_usage><max>(.*)<\/max>/)),
    quota: find(/<quota>(.*)<\/quota>/),
    quotaQueries: Number(find(/<queries>(.*)<\/queries>/)),
  };
}

async function ofDocs(): Promise<User> {
  const sql = await read('docs/deployment.md');
  const find = (pattern: RegExp) => pattern.exec(sql)?.[1];
  return {
    readonly: find(/PROFILE \w+ SETTINGS readonly = (\d)/),
    maxExecutionTime: Number(find(/max_execution_time = \d+ MAX (\d+)/)),
    maxMemoryUsage: Number(find(/max_memory_usage = \d+ MAX (\d+)/)),
    quota: find(/CREATE QUOTA (\w+)/),
    quotaQueries: Number(find(/MAX queries = (\d+)/)),
  };
}

describe.each([
  ['deploy/examples/clickhouse-altinity.yaml', ofAltinity],
  ['docker-compose.yml', ofCompose],
  ['docs/deployment.md', ofDocs],
])('the user of query in %s', (_file, load) => {
  test('may only read, with the settings that query sends, and has a quota of its own', async () => {
    const user = await load();
    expect(user.readonly).toBe('2');
    expect(user.maxExecutionTime).toBeGreaterThanOrEqual(config.QUERY_TIMEOUT_SECONDS);
    expect(user.maxExecutionTime).toBeGreaterThanOrEqual(config.STREAM_MAX_SECONDS);
    expect(user.maxMemoryUsage).toBeGreaterThanOrEqual(config.QUERY_MAX_MEMORY_BYTES);
    expect(user.quota).toMatch(/^(?!default$).+/);
    expect(user.quotaQueries).toBeGreaterThan(0);
  });
});

test('query in docker-compose.yml is that user, and the server knows it', async () => {
  const { services } = parse(await read('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string>; volumes?: string[] }>;
  };
  expect(services['query']?.environment).toMatchObject({
    CLICKHOUSE_USER: 'query',
    CLICKHOUSE_PASSWORD: '${CLICKHOUSE_QUERY_PASSWORD}',
  });
  expect(services['clickhouse']?.volumes?.join()).toContain(
    'clickhouse-query-user.xml:/etc/clickhouse-server/users.d/',
  );
});
