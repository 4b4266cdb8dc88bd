import type { Known } from '../access/account.ts';
import { recordEntry } from '../changes/record-changes.ts';
import type { Actor } from '../changes/record-changes.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { listUsers } from './list-users.ts';

/** The people who may manage: everything, or the cellars that were granted to them. */
export function createUsersRepository({ database }: { database: Database }) {
  return {
    /** @param email as it is stored. A disabled user is not found. */
    async findByEmail(email: string): Promise<Known | undefined> {
      const [row] = await database.query<{ id: string; email: string; password_hash: string }>(
        `SELECT id, email, password_hash FROM administrators WHERE email = $1 AND disabled_at IS NULL`,
        [email],
      );
      return row && { id: row.id, email: row.email, passwordHash: row.password_hash };
    },

    async exist(): Promise<boolean> {
      const rows = await database.query(`SELECT FROM administrators LIMIT 1`);
      return rows.length > 0;
    },

    /**
     * Creates the first one, an owner. Of replicas and people who do it together, one does.
     *
     * @param actorFor who does it, given the id that they get if it is themselves
     * @param permit checks, in the transaction, that it may be done; it throws otherwise
     * @returns undefined when there is one already
     */
    async createFirst(
      { email, passwordHash }: { email: string; passwordHash: string },
      actorFor: (id: string) => Actor,
      permit: (transaction: Queryable) => Promise<void> = async () => {},
    ): Promise<Known | undefined> {
      return database.transaction(async (transaction) => {
        await transaction.query(`LOCK TABLE administrators IN SHARE ROW EXCLUSIVE MODE`);
        const there = await transaction.query(`SELECT FROM administrators LIMIT 1`);
        if (there.length > 0) return undefined;
        await permit(transaction);
        const [created] = await transaction.query<{ id: string; email: string }>(
          `INSERT INTO administrators (email, password_hash, role) VALUES (lower($1), $2, 'owner')
           RETURNING id, email`,
          [email, passwordHash],
        );
        if (created === undefined) throw new Error('INSERT returned no row');
        await recordEntry(transaction, actorFor(created.id), {
          action: 'user.created',
          details: { email: created.email, role: 'owner' },
        });
        return { ...created, passwordHash };
      });
    },

    list: (page: { limit: number; cursor?: string }) => listUsers(database, page),
  };
}

export type UsersRepository = ReturnType<typeof createUsersRepository>;
