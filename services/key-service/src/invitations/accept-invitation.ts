import { replaceGrants, storedAccess } from '../access/access.ts';
import type { Known } from '../access/account.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import type { Passwords } from '../passwords/password.ts';
import { recordEntry } from '../changes/record-changes.ts';
import { ApiError } from '@cellarman/http-api';
import { violates } from '../postgres/constraint.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { hashSecret } from '../secrets/random-secret.ts';
import type { InvitationView } from './invitation-schema.ts';
import { findInvitation } from './list-invitations.ts';

export interface Acceptance {
  token: string;
  password: string;
  /** The IP address that the request came from. */
  address: string;
}

/** Creates the account of an invited user. @throws {ApiError} `not_found` when the link is invalid or has expired */
export async function acceptInvitation(
  parts: {
    find: (token: string) => Promise<InvitationView | undefined>;
    database: Database;
    passwords: Passwords;
  },
  { token, password, address }: Acceptance,
): Promise<Known> {
  const { find, database, passwords } = parts;
  // Before the password is hashed, which takes long.
  const invitation = await find(token);
  if (invitation === undefined) throw unknownInvitation();
  const { email } = invitation;
  const hash = hashSecret(token);
  requireGoodPassword(password, email);
  const passwordHash = await passwords.hash(password);
  return database.transaction(async (transaction) => {
    await shareCreator(transaction, hash);
    // As it is now: it may have been withdrawn, used or changed meanwhile.
    const now = await findInvitation(transaction, hash);
    const used = await transaction.query(`DELETE FROM invitations WHERE hash = $1 RETURNING id`, [hash]);
    if (now === undefined || used.length === 0) throw unknownInvitation();
    const stored = storedAccess(now);
    const [created] = await transaction
      .query<{ id: string }>(
        `INSERT INTO administrators (email, password_hash, role, views) VALUES ($1, $2, $3, $4) RETURNING id`,
        [email, passwordHash, stored.role, stored.views],
      )
      .catch((error: unknown) => {
        if (!violates(error, 'administrators_email_key')) throw error;
        throw new ApiError('conflict', 'An account with this email already exists. Sign in.');
      });
    if (created === undefined) throw new Error('INSERT returned no row');
    const { role, cellars, createdBy } = now;
    await replaceGrants(transaction, created.id, { role, cellars });
    await recordEntry(
      transaction,
      { id: created.id, name: email, address },
      { action: 'user.joined', details: { email, role, cellars, invitedBy: createdBy } },
    );
    return { id: created.id, email, passwordHash };
  });
}

/** Locks the owner who created the invitation until this transaction ends: an owner just disabled can admit no user. */
async function shareCreator(transaction: Queryable, hash: Buffer): Promise<void> {
  await transaction.query(
    `SELECT FROM invitations JOIN administrators AS creator ON creator.id = invitations.created_by
     WHERE invitations.hash = $1 FOR SHARE OF creator`,
    [hash],
  );
}

export function unknownInvitation(): ApiError {
  return new ApiError('not_found', 'The invitation is expired, used or withdrawn');
}
