import { once } from 'node:events';
import type { Logger } from '@cellarman/telemetry';
import { checkEviction, createRedisOutage, redisTls } from '@cellarman/tls';
import type { CertificateFiles } from '@cellarman/tls';
import { Redis } from 'ioredis';

/** How long the start waits, so that the first commands do not fail for nothing. */
const FIRST_CONNECT_MS = 1_000;

export interface ConnectRedisOptions {
  url: string;
  /** The client certificate, for a Redis that requires one. */
  certificate?: CertificateFiles | undefined;
  /** Shown in `CLIENT LIST` and in the log. Redis allows no spaces in it. */
  name: string;
  /** After how long a command has failed. */
  timeoutMs: number;
  logger: Logger;
  /** Whether this connection is the one that logs an unsafe eviction policy. */
  checksEviction?: boolean;
}

/**
 * A connection that fails fast: nothing is queued while Redis is unreachable, and nothing is sent twice. It comes back by
 * itself, and it need not be there at the start.
 */
export async function connectRedis(options: ConnectRedisOptions): Promise<Redis> {
  const { url, certificate, name, timeoutMs, logger, checksEviction = false } = options;
  const redis = new Redis(url, {
    ...redisTls(url, certificate),
    connectionName: name,
    commandTimeout: timeoutMs,
    connectTimeout: 2_000,
    // A connection that has gone silent is replaced, and the commands that wait on it with it.
    socketTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(100 * times, 1_000),
    // After a fail-over the old connection leads to a replica.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  const outage = createRedisOutage(url);
  redis.on('error', (error: unknown) => {
    const news = outage.failed(error);
    if (news !== undefined) logger.warn({ err: error, connection: name, ...news }, 'Redis is unreachable');
  });
  redis.on('ready', () => {
    if (outage.ready()) logger.info({ connection: name }, 'Redis is reachable again');
  });
  if (checksEviction) checkEviction(redis, logger);
  await once(redis, 'ready', { signal: AbortSignal.timeout(FIRST_CONNECT_MS) }).catch(() => undefined);
  return redis;
}
