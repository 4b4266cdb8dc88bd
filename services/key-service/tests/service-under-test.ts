import { randomBytes } from 'node:crypto';
import { startService } from '@cellarman/lifecycle';
import { createLogger } from '@cellarman/telemetry';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { expect, inject } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { internalTokens } from '../src/internal/internal-tokens.ts';
import { createRecordSeal } from '../src/lookup/record-seal.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { grantServiceRole } from '../src/postgres/service-role.ts';
import { keyService } from '../src/start.ts';
import { createApiClient } from './api-client.ts';
import type { Answer, ApiClient } from './api-client.ts';
import { createTestDatabase, createTestRole } from './test-database.ts';

export const INTERNAL_TOKEN = 'internal-token-of-the-tests';
/** As the service seals what it caches. */
export const SEAL = createRecordSeal({ secret: JSON.stringify(internalTokens({ INTERNAL_TOKEN })) });
export const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' };

/** The whole key-service on real engines, with a database and names in Redis of its own. */
export interface ServiceUnderTest {
  url: string;
  /** Signed in as the user, if the environment makes one. */
  admin: ApiClient;
  /** Signed in as nobody. */
  anonymous: ApiClient;
  internal<Body = unknown>(method: string, path: string, body?: unknown): Promise<Answer<Body>>;
  /** A look behind the service. */
  pool: Pool;
  redis: Redis;
  redisPrefix: string;
  env: Record<string, string>;
  /** The lines of the log of all replicas. */
  log: string[];
  /** Another replica on the same engines. */
  startReplica(
    env?: Record<string, string>,
  ): Promise<{ url: string; internalUrl: string; stop(): Promise<void> }>;
  stop(): Promise<void>;
}

export async function startServiceUnderTest(env: Record<string, string> = {}): Promise<ServiceUnderTest> {
  const engines = inject('engines');
  const database = await createTestDatabase(engines.databaseUrl);
  // As in production: the tables belong to another role.
  const role = await createTestRole(database.url);
  const silent = createLogger({ service: 'key-service', version: '0', level: 'silent' });
  await migrate(database.url, silent);
  await grantServiceRole(database.url, role.name);
  const redisPrefix = `test:${randomBytes(6).toString('hex')}:`;
  const wholeEnv = {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'info',
    DEREGISTRATION_DELAY_MS: '0',
    DATABASE_URL: role.url,
    REDIS_URL: engines.redisUrl,
    REDIS_PREFIX: redisPrefix,
    INTERNAL_TOKEN,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...env,
  };
  const pool = new Pool({ connectionString: database.url, max: 4 });
  // Dropping the database at the end cuts what is still idle.
  pool.on('error', () => {});
  const redis = new Redis(engines.redisUrl);
  const log: string[] = [];

  async function startReplica(more: Record<string, string> = {}) {
    const config = loadConfig({ ...wholeEnv, ...more });
    const service = await startService(keyService, config, {
      stdout: { write: (line) => void log.push(line) },
    });
    const { url, operationsUrl } = service;
    return { url, internalUrl: operationsUrl, stop: () => service.stop((_name, run) => run()) };
  }

  const service = await startReplica();
  const anonymous = await createApiClient(service.url);
  const admin = await createApiClient(service.url);
  if (wholeEnv.ADMIN_EMAIL !== '') {
    expect(await admin.signIn(ADMIN.email, ADMIN.password)).toMatchObject({ status: 201 });
  }

  return {
    url: service.url,
    admin,
    anonymous,
    internal: <Body>(method: string, path: string, body?: unknown) =>
      anonymous.call<Body>(method, path, body, { authorization: `Bearer ${INTERNAL_TOKEN}` }),
    pool,
    redis,
    redisPrefix,
    env: wholeEnv,
    log,
    startReplica,
    async stop() {
      await service.stop();
      const names = await redis.keys(`${redisPrefix}*`);
      if (names.length > 0) await redis.unlink(...names);
      redis.disconnect();
      await pool.end();
      await database.stop();
      await role.stop();
    },
  };
}
