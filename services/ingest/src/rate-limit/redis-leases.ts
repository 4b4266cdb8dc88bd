import type { Logger } from '@cellarman/telemetry';
import { checkEviction, createRedisOutage, redisTls } from '@cellarman/tls';
import type { CertificateFiles } from '@cellarman/tls';
import { Redis } from 'ioredis';
import type { Result } from 'ioredis';
import { LEASE_MORE_SCRIPT, LEASE_SCRIPT } from './lease-script.ts';
import type { RatePolicy } from './rate-policy.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    leaseTokens(
      bucket: string,
      perSecond: number,
      burst: number,
      wanted: number,
      unused: number,
    ): Result<[granted: number, remaining: number, waitMs: number], Context>;
    leaseMoreTokens(
      bucket: string,
      perSecond: number,
      burst: number,
      wanted: number,
      unused: number,
      needed: number,
      paid: number,
    ): Result<[taken: 0 | 1, granted: number, remaining: number, waitMs: number], Context>;
  }
}

export interface Lease {
  granted: number;
  /** In the shared bucket. */
  remaining: number;
  /** Until the shared bucket has one more token, in milliseconds. */
  waitMs: number;
}

/** Whether the tokens that a request needs besides its first were taken. */
export interface LeaseMore {
  taken: boolean;
  /** Leased besides. */
  granted: number;
  /** What the shared bucket has after that; negative: a debt. */
  remaining: number;
  /** Until the shared bucket has enough for the whole request, in milliseconds. */
  waitMs: number;
}

/** Where replicas lease their tokens. Rejects soon when it is away. */
export interface Leases {
  lease(keyId: string, policy: RatePolicy, wanted: number, unused: number): Promise<Lease>;
  /** Takes `needed` tokens or none for a request that has paid `paid`, and leases `wanted` besides. */
  leaseMore(
    keyId: string,
    policy: RatePolicy,
    wanted: number,
    unused: number,
    needed: number,
    paid: number,
  ): Promise<LeaseMore>;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 1_000;
/** A request may wait for this, so Redis is given up early. */
const COMMAND_TIMEOUT_MS = 200;
const LONGEST_RECONNECT_MS = 1_000;

export interface RedisLeasesOptions {
  url: string;
  /** The client certificate, for a Redis that requires one. */
  certificate?: CertificateFiles | undefined;
  logger: Logger;
  /** Stands before the id of a key. */
  prefix?: string;
}

export function createRedisLeases(options: RedisLeasesOptions): Leases {
  const { url, certificate, logger, prefix = 'cellarman:rate:' } = options;
  const redis = new Redis(url, {
    ...redisTls(url, certificate),
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    // While Redis is unreachable replicas limit by themselves; nothing waits for its return.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, LONGEST_RECONNECT_MS) * (0.5 + Math.random() / 2),
    enableAutoPipelining: true,
  });
  redis.defineCommand('leaseTokens', { numberOfKeys: 1, lua: LEASE_SCRIPT });
  redis.defineCommand('leaseMoreTokens', { numberOfKeys: 1, lua: LEASE_MORE_SCRIPT });
  // The limiter says what follows from it, but a lease that fails does not know the reason.
  const outage = createRedisOutage(url);
  redis.on('error', (error: Error) => {
    const news = outage.failed(error);
    if (news !== undefined) logger.warn({ err: error, ...news }, 'could not connect to Redis');
  });
  redis.on('ready', () => outage.ready());
  checkEviction(redis, logger);

  return {
    async lease(keyId, { perSecond, burst }, wanted, unused) {
      const bucket = prefix + keyId;
      const [granted, remaining, waitMs] = await redis.leaseTokens(bucket, perSecond, burst, wanted, unused);
      return { granted, remaining, waitMs };
    },
    async leaseMore(keyId, { perSecond, burst }, wanted, unused, needed, paid) {
      const bucket = prefix + keyId;
      const [taken, granted, remaining, waitMs] = await redis.leaseMoreTokens(
        bucket,
        perSecond,
        burst,
        wanted,
        unused,
        needed,
        paid,
      );
      return { taken: taken === 1, granted, remaining, waitMs };
    },
    close: () => redis.disconnect(),
  };
}
