import type { Access } from '../access/access.ts';
import type { Passwords } from '../passwords/password.ts';
import type { Actor } from '../changes/record-changes.ts';
import type { Database } from '../postgres/database.ts';
import { createFindBySecret } from '../secrets/find-by-secret.ts';
import { acceptInvitation, unknownInvitation } from './accept-invitation.ts';
import type { Acceptance } from './accept-invitation.ts';
import { invite, withdrawInvitation } from './invite.ts';
import { findInvitations, listInvitations } from './list-invitations.ts';

/** Links that let people join: each works once, and only its hash is stored. */
export function createInvitations({
  database,
  unauthenticatedDatabase,
  passwords,
}: {
  database: Database;
  /** For people who are not signed in. */
  unauthenticatedDatabase: Database;
  passwords: Passwords;
}) {
  const find = createFindBySecret((hashes) => findInvitations(unauthenticatedDatabase, hashes));
  return {
    create: (email: string, access: Access, actor: Actor) => invite(database, { email, access }, actor),
    list: (page: { limit: number; cursor?: string }) => listInvitations(database, page),
    withdraw: (id: string, actor: Actor) => withdrawInvitation(database, id, actor),
    accept: (acceptance: Acceptance) =>
      acceptInvitation({ find, database: unauthenticatedDatabase, passwords }, acceptance),

    /** @throws {ApiError} `not_found` */
    async lookUp(token: string) {
      const invitation = await find(token);
      if (invitation === undefined) throw unknownInvitation();
      return invitation;
    },
  };
}

export type Invitations = ReturnType<typeof createInvitations>;
