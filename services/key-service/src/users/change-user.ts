import { isDeepStrictEqual } from 'node:util';
import type { Commit, Outcome } from '../changes/committer.ts';
import { recordEntry } from '../changes/record-changes.ts';
import type { Actor } from '../changes/record-changes.ts';
import { ApiError } from '@cellarman/http-api';
import { deleteInvitationsOf } from '../invitations/invite.ts';
import type { Queryable } from '../postgres/database.ts';
import { deleteSessions } from '../sessions/end-sessions.ts';
import { readAccess, replaceGrants, requireCellars, storedAccess } from '../access/access.ts';
import type { Access, Role } from '../access/access.ts';
import type { UserView } from './user-schema.ts';
import { getUser } from './list-users.ts';
import { revokeCreated } from './revoke-created.ts';

export interface UserChange {
  role?: Role;
  /** In place of those before. */
  cellars?: string[];
  isDisabled?: boolean;
  /** With `isDisabled` alone: also revokes the service tokens and API keys that they have created. */
  revokeCreated?: boolean;
}

/**
 * Changes the access of a user, from their next request on. Disabling a user ends their sessions. Disabling or demoting an
 * owner also deletes their invitations, which they could otherwise use to come back.
 *
 * @param requester `isConfirmed`: they have entered their password within the last minutes
 * @throws {ApiError} `conflict` when no owner would be left; `password_required` to make an owner
 */
export async function changeUser(
  commit: Commit,
  id: string,
  change: UserChange,
  requester: { actor: Actor; isConfirmed: boolean },
): Promise<UserView> {
  const { actor, isConfirmed } = requester;
  if (change.revokeCreated === true && change.isDisabled !== true)
    throw new ApiError('invalid_request', 'body/revokeCreated needs isDisabled');
  return commit(actor, async (transaction) => {
    const owners = await lockOwners(transaction);
    await transaction.query(`SELECT FROM administrators WHERE id = $1 FOR NO KEY UPDATE`, [id]);
    const before = await getUser(transaction, id);
    const access = accessAfter(before, change);
    await requireCellars(transaction, access);
    const wasDisabled = before.disabledAt !== null;
    const isDisabled = change.isDisabled ?? wasDisabled;
    const wasOwner = before.role === 'owner' && !wasDisabled;
    const isOwner = access.role === 'owner' && !isDisabled;
    if (owners.length === 1 && owners[0]?.id === id && !isOwner) {
      throw new ApiError('conflict', 'This is the last owner. Make someone else an owner first.');
    }

    if (isOwner && !wasOwner && !isConfirmed)
      throw new ApiError('password_required', 'Confirm your password, then retry');

    const settings = { role: before.role, cellars: before.cellars, isDisabled: wasDisabled };
    const after = { ...access, isDisabled };
    const isSame = isDeepStrictEqual(settings, after);
    if (isSame && change.revokeCreated !== true) return unchanged(before);
    const { role, views } = storedAccess(access);
    await transaction.query(
      `UPDATE administrators
       SET role = $2, views = $3, disabled_at = CASE WHEN $4 THEN coalesce(disabled_at, now()) END
       WHERE id = $1`,
      [id, role, views, isDisabled],
    );
    await replaceGrants(transaction, id, access);
    const endedSessions = isDisabled ? await deleteSessions(transaction, id) : 0;
    const withdrawnInvitations = wasOwner && isOwner ? 0 : await deleteInvitationsOf(transaction, id);
    const revoked =
      change.revokeCreated === true ? await revokeCreated(transaction, id, actor.id) : undefined;
    const { byCellar = new Map<string, number>(), ...counts } = revoked ?? {};
    for (const [cellar, keys] of byCellar) {
      const details = { createdBy: before.email, keys };
      await recordEntry(transaction, actor, { action: 'keys.revoked', cellar, details });
    }
    const entry = {
      action: 'user.changed',
      details: {
        email: before.email,
        before: settings,
        after,
        endedSessions,
        withdrawnInvitations,
        ...counts,
      },
    };
    // Nothing else of it is cached, so nothing else gets a change number.
    const changed = [...byCellar.keys()].map((cellar) => ({ kind: 'cellar', cellar }) as const);
    if (changed.length === 0) await recordEntry(transaction, actor, entry);
    return { result: await getUser(transaction, id), changed, entries: [entry] };
  });
}

function unchanged(result: UserView): Outcome<UserView> {
  return { result, changed: [], entries: [] };
}

/** Locks the owners first, in the order of their ids: of two owners who remove each other, one stays. */
function lockOwners(transaction: Queryable): Promise<{ id: string }[]> {
  return transaction.query<{ id: string }>(
    `SELECT id FROM administrators WHERE role = 'owner' AND disabled_at IS NULL ORDER BY id FOR NO KEY UPDATE`,
  );
}

function accessAfter(before: Access, { role = before.role, cellars }: UserChange): Access {
  return readAccess(role, cellars ?? (role === 'owner' ? undefined : (before.cellars ?? [])));
}
