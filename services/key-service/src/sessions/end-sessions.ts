import { recordEntry } from '../changes/record-changes.ts';
import type { Actor } from '../changes/record-changes.ts';
import { ApiError } from '@cellarman/http-api';
import type { Database, Queryable } from '../postgres/database.ts';

/** Signs out. Nothing happens when the session has ended already. */
export async function endSessionOf(database: Database, hash: Buffer, address: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const [ended] = await transaction.query<{ session_id: string; id: string; email: string }>(
      `DELETE FROM sessions USING administrators
       WHERE hash = $1 AND administrators.id = sessions.administrator_id
       RETURNING sessions.id AS session_id, administrators.id, administrators.email`,
      [hash],
    );
    if (ended === undefined) return;
    const actor = { id: ended.id, name: ended.email, address };
    await recordEntry(transaction, actor, {
      action: 'session.closed',
      details: { sessionId: ended.session_id },
    });
  });
}

/** Ends one session of a user. @throws {ApiError} `not_found` also for a session of another user */
export async function endSession(database: Database, userId: string, id: string, actor: Actor) {
  await database.transaction(async (transaction) => {
    const rows = await transaction.query(
      `DELETE FROM sessions WHERE id = $1 AND administrator_id = $2 RETURNING id`,
      [id, userId],
    );
    if (rows.length === 0) throw new ApiError('not_found', 'Session not found');
    await recordEntry(transaction, actor, { action: 'session.ended', details: { sessionId: id } });
  });
}

/** Ends all but one. @returns how many */
export async function endOtherSessions(
  database: Database,
  userId: string,
  keptId: string,
  actor: Actor,
): Promise<number> {
  return database.transaction(async (transaction) => {
    const ended = await deleteSessions(transaction, userId, keptId);
    if (ended > 0)
      await recordEntry(transaction, actor, { action: 'session.others_ended', details: { ended } });
    return ended;
  });
}

/** Deletes a person's sessions, all or all but one, as a part of something that is audited. */
export async function deleteSessions(
  transaction: Queryable,
  userId: string,
  keptId: string | null = null,
): Promise<number> {
  const rows = await transaction.query(
    `DELETE FROM sessions WHERE administrator_id = $1 AND id IS DISTINCT FROM $2 RETURNING id`,
    [userId, keptId],
  );
  return rows.length;
}
