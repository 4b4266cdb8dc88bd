import { createHash } from 'node:crypto';
import type { Logger } from '@cellarman/telemetry';
import type { Redis } from 'ioredis';
import { recordEntry } from '../changes/record-changes.ts';
import type { Queryable } from '../postgres/database.ts';
import type { LockOut } from './sign-in-throttle.ts';

const WINDOW_SECONDS = 15 * 60;
const HOUR_SECONDS = 60 * 60;

/** Marks an event as recorded. Returns 1 for a new one, 0 for a known one, -1 when the hour has enough of them. */
const MARK = `
  if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
  if tonumber(redis.call('GET', KEYS[2]) or '0') >= tonumber(ARGV[2]) then return -1 end
  redis.call('SET', KEYS[1], '1', 'EX', ARGV[1])
  if redis.call('INCR', KEYS[2]) == 1 then redis.call('EXPIRE', KEYS[2], ARGV[3]) end
  return 1
`;

export interface AuditSignInsOptions {
  /** Connections that no signed-in user needs. */
  database: Queryable;
  redis: Redis;
  prefix: string;
  logger: Logger;
  /** Entries of each action, over all replicas: no flood fills the audit. @default 500 */
  maxPerHour?: number;
}

interface Event {
  action: 'sign_in.failed' | 'sign_in.locked';
  address: string;
  details: Record<string, unknown>;
  /** Identifies the event among all replicas for as long as it is recorded once. */
  identity: string;
  seconds: number;
}

/**
 * Writes failed sign-ins and lock-outs to the audit. Both methods return before anything is written, so that sign-in neither
 * waits for the audit nor fails with it. The actor is the service: nobody has proved who they are.
 */
export function createAuditSignIns(options: AuditSignInsOptions) {
  const { database, redis, prefix, logger, maxPerHour = 500 } = options;

  async function write({ action, address, details, identity, seconds }: Event): Promise<void> {
    const digest = createHash('sha256').update(identity).digest('base64url');
    const stem = `${prefix}{sign-in}:audit:${action}:`;
    const mark = stem + digest;
    const isNew = await redis.eval(MARK, 2, mark, `${stem}count`, seconds, maxPerHour, HOUR_SECONDS);
    if (isNew === 0) return;
    if (isNew === -1) {
      logger.warn({ action, address, details }, 'sign-in event not audited: hourly limit exceeded');
      return;
    }
    try {
      await recordEntry(database, { id: null, name: 'key-service', address }, { action, details });
    } catch (error) {
      // The next attempt records it.
      await redis.del(mark);
      throw error;
    }
  }

  const start = (event: Event) =>
    void write(event).catch((error: unknown) => {
      const { action, address, details } = event;
      logger.error(
        { err: error, action, address, details },
        'could not store a sign-in event in the audit log',
      );
    });

  return {
    /** @param email of an account: any other text may be a password in the wrong field */
    failed(email: string, address: string): void {
      start({
        action: 'sign_in.failed',
        address,
        details: { email },
        identity: JSON.stringify([email, address]),
        seconds: WINDOW_SECONDS,
      });
    },

    /** @param email of an account, or undefined: then only lock-outs of networks are recorded */
    lockedOut(lockOut: LockOut, email: string | undefined, address: string): void {
      const { limit, network, counter, seconds } = lockOut;
      const details = limit === 'network' ? { limit, network } : { limit, email };
      if (limit !== 'network' && email === undefined) return;
      start({ action: 'sign_in.locked', address, details, identity: counter, seconds });
    },
  };
}

export type AuditSignIns = ReturnType<typeof createAuditSignIns>;
