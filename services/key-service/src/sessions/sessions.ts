import { gatherQuestions } from '@cellarman/gather';
import type { Known } from '../administrators/administrators-repository.ts';
import type { Actor } from '../changes/record-changes.ts';
import { Refusal } from '../http/refusal.ts';
import type { Database } from '../postgres/database.ts';
import { createSecret, hashSecret, looksLikeSecret } from '../secrets/random-secret.ts';
import { endOtherSessions, endSession, endSessionOf } from './end-sessions.ts';
import { findSessions } from './find-sessions.ts';
import { listSessions } from './list-sessions.ts';
import { openSession } from './open-session.ts';
import type { Origin, Session } from './session.ts';

export interface SessionsOptions {
  database: Database;
  idleSeconds: number;
  maxSeconds: number;
}

/** Sessions in one statement. Forged ids make statements larger, not more. */
const MAX_BATCH = 500;
const MAX_WAITING = 2_000;

/**
 * Who is signed in. PostgreSQL holds only a hash of the secret that the browser has, so that a look into it opens no
 * session. There is no copy elsewhere: what has been signed out stays so.
 */
export function createSessions({ database, idleSeconds, maxSeconds }: SessionsOptions) {
  const find = gatherQuestions({
    ask: (hashes: readonly Buffer[]) => findSessions(database, hashes, idleSeconds),
    maxBatch: MAX_BATCH,
    maxUnderWay: 1,
  });
  let waiting = 0;

  return {
    /** @returns the secret for the cookie; it is stored nowhere */
    async open(known: Known, origin: Origin): Promise<{ secret: string; session: Session }> {
      const secret = createSecret();
      const hash = hashSecret(secret);
      return { secret, session: await openSession(database, { hash, known, origin, maxSeconds }) };
    },

    /** The session, which is now in use again, or undefined when it has ended. */
    async find(secret: string): Promise<Session | undefined> {
      if (!looksLikeSecret(secret)) return undefined;
      if (waiting >= MAX_WAITING) throw new Refusal('unavailable', 'Too many requests at once. Try again.');
      waiting++;
      try {
        return await find(hashSecret(secret));
      } finally {
        waiting--;
      }
    },

    /** Signs out the browser that has this secret. */
    signOut: (secret: string, address: string) => endSessionOf(database, hashSecret(secret), address),

    list: ({ id, administrator }: Session, page: { limit: number; cursor?: string }) =>
      listSessions(database, { administratorId: administrator.id, currentId: id, idleSeconds, ...page }),

    end: ({ administrator }: Session, id: string, actor: Actor) =>
      endSession(database, administrator.id, id, actor),

    endOthers: ({ id, administrator }: Session, actor: Actor) =>
      endOtherSessions(database, administrator.id, id, actor),
  };
}

export type Sessions = ReturnType<typeof createSessions>;
