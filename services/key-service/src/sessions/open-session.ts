import { ACCESS_OF_USER } from '../access/access.ts';
import type { Role } from '../access/access.ts';
import type { Known } from '../access/account.ts';
import { EPOCH } from '../changes/epoch.ts';
import { recordEntry } from '../changes/record-changes.ts';
import { ApiError } from '@cellarman/http-api';
import type { Database, Queryable } from '../postgres/database.ts';
import type { Origin, Session } from '../access/session.ts';

/** Longer ones are cut: they only help to recognise a browser. */
const USER_AGENT_CHARACTERS = 300;

/** Opens a session, and deletes those that have ended: sign-ins are rare enough. */
export async function openSession(
  database: Database,
  { hash, known, origin, maxSeconds }: { hash: Buffer; known: Known; origin: Origin; maxSeconds: number },
): Promise<Session> {
  const { id, email } = known;
  const userAgent = origin.userAgent?.slice(0, USER_AGENT_CHARACTERS) ?? null;
  return database.transaction(async (transaction) => {
    const access = await shareUser(transaction, known);
    const [row] = await transaction.query<{ id: string; ends_at: Date }>(
      `WITH over AS (DELETE FROM sessions WHERE ends_at <= now())
       INSERT INTO sessions (hash, administrator_id, epoch, ends_at, address, user_agent)
       VALUES ($1, $2, ${EPOCH}, now() + make_interval(secs => $3), $4, $5)
       RETURNING id, ends_at`,
      [hash, id, maxSeconds, origin.address, userAgent],
    );
    if (row === undefined) throw new Error('INSERT returned no row');
    const actor = { id, name: email, address: origin.address };
    await recordEntry(transaction, actor, { action: 'session.opened', details: { sessionId: row.id } });
    return {
      id: row.id,
      user: { id, email, ...access },
      endsAt: row.ends_at.getTime(),
      isConfirmed: true,
    };
  });
}

/**
 * Keeps the person from being disabled and the password from being changed until this transaction ends: both end all
 * sessions, and this one must be among them. What has come first is noticed here.
 */
async function shareUser(transaction: Queryable, { id, passwordHash }: Known) {
  const [access] = await transaction.query<{ role: Role; cellars: string[] | null }>(
    `SELECT ${ACCESS_OF_USER} FROM administrators
     WHERE id = $1 AND password_hash = $2 AND disabled_at IS NULL FOR SHARE`,
    [id, passwordHash],
  );
  if (access === undefined) throw new ApiError('unauthenticated', 'Wrong email or password');
  return access;
}
