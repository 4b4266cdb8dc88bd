import type { IncomingHttpHeaders } from 'node:http';
import { BACKGROUND_HEADER } from '@cellarman/contracts';
import type { Known } from '../access/account.ts';
import type { Actor } from '../changes/record-changes.ts';
import type { Database } from '../postgres/database.ts';
import { createFindBySecret } from '../secrets/find-by-secret.ts';
import { createSecret, hashSecret, looksLikeSecret } from '../secrets/random-secret.ts';
import { endOtherSessions, endSession, endSessionOf } from './end-sessions.ts';
import { findSessions } from './find-sessions.ts';
import { listSessions } from './list-sessions.ts';
import { openSession } from './open-session.ts';
import type { Origin, Session } from '../access/session.ts';

export interface SessionsOptions {
  database: Database;
  idleSeconds: number;
  maxSeconds: number;
}

/**
 * Who is signed in. PostgreSQL holds only a hash of the secret that the browser has, so that a look into it opens no
 * session. There is no copy elsewhere: what has been signed out stays so.
 */
export function createSessions({ database, idleSeconds, maxSeconds }: SessionsOptions) {
  const createFind = (touch: boolean) =>
    createFindBySecret((hashes) => findSessions(database, hashes, { idleSeconds, touch }));
  const [findAndTouch, findQuietly] = [createFind(true), createFind(false)];

  return {
    /** @returns the secret for the cookie; it is stored nowhere */
    async open(known: Known, origin: Origin): Promise<{ secret: string; session: Session }> {
      const secret = createSecret();
      const hash = hashSecret(secret);
      return { secret, session: await openSession(database, { hash, known, origin, maxSeconds }) };
    },

    /**
     * Returns the session, or undefined when it has ended.
     *
     * @param headers of the request. It counts as a use of the session, unless they mark it as a background request.
     */
    find: async (secret: string, headers: IncomingHttpHeaders): Promise<Session | undefined> => {
      if (!looksLikeSecret(secret)) return undefined;
      return headers[BACKGROUND_HEADER] === '1' ? findQuietly(secret) : findAndTouch(secret);
    },

    /** The password has been entered again. */
    async confirm({ id }: Session): Promise<void> {
      await database.query(`UPDATE sessions SET confirmed_at = now() WHERE id = $1`, [id]);
    },

    /** Signs out the browser that has this secret. */
    signOut: (secret: string, address: string) => endSessionOf(database, hashSecret(secret), address),

    list: ({ id, user }: Session, page: { limit: number; cursor?: string }) =>
      listSessions(database, { userId: user.id, currentId: id, idleSeconds, ...page }),

    end: ({ user }: Session, id: string, actor: Actor) => endSession(database, user.id, id, actor),

    endOthers: ({ id, user }: Session, actor: Actor) => endOtherSessions(database, user.id, id, actor),
  };
}

export type Sessions = ReturnType<typeof createSessions>;
