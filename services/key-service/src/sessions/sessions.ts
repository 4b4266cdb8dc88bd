import { createHash, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Administrator } from '../administrators/administrators-repository.ts';
import { orUnavailable } from './redis-unavailable.ts';

export interface Session {
  administrator: Administrator;
  /** Milliseconds since 1970. It ends then in any case. */
  endsAt: number;
}

export interface SessionsOptions {
  redis: Redis;
  prefix: string;
  idleSeconds: number;
  maxSeconds: number;
  now?: () => number;
}

/** Who is signed in. Redis holds only a hash of the id that the browser has, so that a look into it opens no session. */
export function createSessions(options: SessionsOptions) {
  const { redis, prefix, idleSeconds, maxSeconds, now = Date.now } = options;
  const nameOf = (id: string) => `${prefix}session:${createHash('sha256').update(id).digest('base64url')}`;
  const idleUntil = (endsAt: number) => Math.min(now() + idleSeconds * 1_000, endsAt);

  return {
    /** @returns the id for the cookie; it is stored nowhere */
    async open(administrator: Administrator): Promise<{ id: string; session: Session }> {
      const id = randomBytes(32).toString('base64url');
      const session = { administrator, endsAt: now() + maxSeconds * 1_000 };
      await orUnavailable(() =>
        redis.set(nameOf(id), JSON.stringify(session), 'PXAT', idleUntil(session.endsAt)),
      );
      return { id, session };
    },

    /** The session, which is now in use again, or undefined when it has ended. */
    async find(id: string): Promise<Session | undefined> {
      const name = nameOf(id);
      const text = await orUnavailable(() => redis.get(name));
      if (text === null) return undefined;
      const session = JSON.parse(text) as Session;
      // A Redis that was put back to an old snapshot can show a session whose time is over.
      if (session.endsAt <= now()) return undefined;
      await orUnavailable(() => redis.pexpireat(name, idleUntil(session.endsAt)));
      return session;
    },

    async end(id: string): Promise<void> {
      await orUnavailable(() => redis.del(nameOf(id)));
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
