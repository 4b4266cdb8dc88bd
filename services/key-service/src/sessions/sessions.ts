import { createHash, randomBytes } from 'node:crypto';
import { gatherQuestions } from '@cellarman/gather';
import type { Administrator } from '../administrators/administrators-repository.ts';
import { Refusal } from '../http/refusal.ts';
import type { Queryable } from '../postgres/database.ts';
import { findSessions } from './find-sessions.ts';
import { openSession } from './open-session.ts';
import type { Session } from './session.ts';

export interface SessionsOptions {
  database: Queryable;
  idleSeconds: number;
  maxSeconds: number;
}

const ID_FORMAT = /^[\w-]{43}$/;
/** Sessions in one statement. Forged ids make statements larger, not more. */
const MAX_BATCH = 500;
const MAX_WAITING = 2_000;

/**
 * Who is signed in. PostgreSQL holds only a hash of the id that the browser has, so that a look into it opens no session.
 * There is no copy elsewhere: what has been signed out stays so.
 */
export function createSessions({ database, idleSeconds, maxSeconds }: SessionsOptions) {
  const find = gatherQuestions({
    ask: (hashes: readonly Buffer[]) => findSessions(database, hashes, idleSeconds),
    maxBatch: MAX_BATCH,
    maxUnderWay: 1,
  });
  let waiting = 0;

  return {
    /** @returns the id for the cookie; it is stored nowhere */
    async open(administrator: Administrator): Promise<{ id: string; session: Session }> {
      const id = randomBytes(32).toString('base64url');
      const endsAt = await openSession(database, hashOf(id), administrator, maxSeconds);
      return { id, session: { administrator, endsAt } };
    },

    /** The session, which is now in use again, or undefined when it has ended. */
    async find(id: string): Promise<Session | undefined> {
      if (!ID_FORMAT.test(id)) return undefined;
      if (waiting >= MAX_WAITING) throw new Refusal('unavailable', 'Too many requests at once. Try again.');
      waiting++;
      try {
        return await find(hashOf(id));
      } finally {
        waiting--;
      }
    },

    async end(id: string): Promise<void> {
      await database.query(`DELETE FROM sessions WHERE hash = $1`, [hashOf(id)]);
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;

function hashOf(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}
