import { selectAccess } from '../access/access.ts';
import { toView } from '../http/to-view.ts';
import { cutPage, readCursor } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { invitationViewSchema } from './invitation-schema.ts';
import type { InvitationView } from './invitation-schema.ts';

/** Invitations that have not expired, created by a user who is still an owner. */
const INVITATIONS = `(
  SELECT invitations.id, invitations.hash, invitations.email, ${selectAccess('invitations')},
         invitations.created_at, creator.email AS created_by, invitations.expires_at
  FROM invitations JOIN administrators AS creator ON creator.id = invitations.created_by
  WHERE invitations.expires_at > now() AND creator.role = 'owner' AND creator.disabled_at IS NULL
) AS invitations`;

/** Returns the pending invitations, ordered by email address. */
export async function listInvitations(
  database: Queryable,
  { limit, cursor }: { limit: number; cursor?: string },
) {
  const [after = ''] = cursor === undefined ? [] : readCursor(cursor, 1);
  const rows = await database.query<{ email: string }>(
    `SELECT * FROM ${INVITATIONS} WHERE email > $1 ORDER BY email LIMIT $2`,
    [after, limit + 1],
  );
  const { page, nextCursor } = cutPage(rows, limit, ({ email }) => [email]);
  return { invitations: page.map((row) => toView(invitationViewSchema, row)), nextCursor };
}

/** The invitations with these hashes, in their order. */
export async function findInvitations(
  database: Queryable,
  hashes: readonly Buffer[],
): Promise<(InvitationView | undefined)[]> {
  const rows = await database.query<{ hash: Buffer }>(
    `SELECT * FROM ${INVITATIONS} WHERE hash = ANY ($1::bytea[])`,
    [hashes],
  );
  const found = new Map(rows.map((row) => [row.hash.toString('hex'), toView(invitationViewSchema, row)]));
  return hashes.map((hash) => found.get(hash.toString('hex')));
}

export async function findInvitation(database: Queryable, hash: Buffer): Promise<InvitationView | undefined> {
  const [row] = await database.query(`SELECT * FROM ${INVITATIONS} WHERE hash = $1`, [hash]);
  return row && toView(invitationViewSchema, row);
}
