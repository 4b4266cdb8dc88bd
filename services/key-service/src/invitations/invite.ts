import { requireCellars, storedAccess } from '../access/access.ts';
import type { Access } from '../access/access.ts';
import { recordEntry } from '../changes/record-changes.ts';
import type { Actor } from '../changes/record-changes.ts';
import { ApiError } from '@cellarman/http-api';
import type { Database, Queryable } from '../postgres/database.ts';
import { createSecret, hashSecret } from '../secrets/random-secret.ts';
import { findInvitation } from './list-invitations.ts';
import type { InvitationView } from './invitation-schema.ts';

/** Long enough for a letter over a weekend. */
const LIFETIME_DAYS = 3;

/**
 * Invites a user. If there was an earlier invitation, it is replaced, and its link becomes invalid.
 *
 * @returns the token for the link, which is stored nowhere
 * @throws {ApiError} `conflict` when they have an account, `forbidden` when the inviting user is no owner any more
 */
export async function invite(
  database: Database,
  { email, access }: { email: string; access: Access },
  actor: Actor,
): Promise<{ invitation: InvitationView; token: string }> {
  const token = createSecret();
  const hash = hashSecret(token);
  return database.transaction(async (transaction) => {
    await requireCellars(transaction, access);
    const there = await transaction.query(`SELECT FROM administrators WHERE email = lower($1)`, [email]);
    if (there.length > 0) throw new ApiError('conflict', 'An account with this email already exists');
    await transaction.query(`DELETE FROM invitations WHERE expires_at <= now()`);
    const { role, granted, views } = storedAccess(access);
    await transaction.query(
      `INSERT INTO invitations (hash, email, role, cellars, views, created_by, expires_at)
       VALUES ($1, lower($2), $3, $4, $5, $6, now() + make_interval(days => $7))
       ON CONFLICT (email) DO UPDATE
       SET hash = excluded.hash, role = excluded.role, cellars = excluded.cellars, views = excluded.views,
           created_at = now(), created_by = excluded.created_by, expires_at = excluded.expires_at`,
      [hash, email, role, granted, views, actor.id, LIFETIME_DAYS],
    );
    const invitation = await findInvitation(transaction, hash);
    // The row exists, so the inviting user has just ceased to be an owner.
    if (invitation === undefined) throw new ApiError('forbidden', 'Only owners can do this');
    await recordEntry(transaction, actor, {
      action: 'invitation.created',
      details: { email: invitation.email, ...access, expiresAt: invitation.expiresAt },
    });
    return { invitation, token };
  });
}

/**
 * Deletes what a person has sent, as a part of something that is audited. One that is sent at this moment may be left;
 * it is worth nothing while they are no owner.
 *
 * @returns how many could still have been used
 */
export async function deleteInvitationsOf(transaction: Queryable, userId: string): Promise<number> {
  // `invite` deletes expired invitations. No row is deleted by both, so there is no deadlock.
  const rows = await transaction.query(
    `DELETE FROM invitations WHERE created_by = $1 AND expires_at > now() RETURNING id`,
    [userId],
  );
  return rows.length;
}

/** @throws {ApiError} `not_found` */
export async function withdrawInvitation(database: Database, id: string, actor: Actor): Promise<void> {
  await database.transaction(async (transaction) => {
    const [withdrawn] = await transaction.query<{ email: string }>(
      `DELETE FROM invitations WHERE id = $1 RETURNING email`,
      [id],
    );
    if (withdrawn === undefined) throw new ApiError('not_found', 'Invitation not found');
    await recordEntry(transaction, actor, {
      action: 'invitation.withdrawn',
      details: { email: withdrawn.email },
    });
  });
}
