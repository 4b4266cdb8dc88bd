import { createClient } from '@clickhouse/client';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { clickhouseLogin } from '../src/index.ts';
import { brokerResponds } from '../src/engines/kafka-responds.ts';

const engines = inject('engines');

test('the set-up of the integration tests gives four real engines', async () => {
  const [host = '', port = ''] = (engines.kafkaBrokers[0] ?? '').split(':');
  expect(await brokerResponds(host, Number(port))).toBe(true);

  const redis = new Redis(engines.redisUrl);
  expect(await redis.info('server')).toMatch(/redis_version:/);
  redis.disconnect();

  const postgres = new Client({ connectionString: engines.databaseUrl });
  await postgres.connect();
  const { rows } = await postgres.query<{ server_version: string }>('SHOW server_version');
  expect(rows[0]?.server_version).toMatch(/^18/);
  await postgres.end();

  const clickhouse = createClient(clickhouseLogin(engines));
  const version = await clickhouse.query({ query: 'SELECT version() AS version', format: 'JSONEachRow' });
  expect((await version.json<{ version: string }>())[0]?.version).toMatch(/^\d+\.\d+/);
  await clickhouse.close();
});
