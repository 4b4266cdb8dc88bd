import type { Database } from '../postgres/database.ts';

export interface Administrator {
  id: string;
  email: string;
}

export interface AdministratorWithPassword extends Administrator {
  passwordHash: string;
}

/** The people who may manage everything. */
export function createAdministratorsRepository({ database }: { database: Database }) {
  return {
    async findByEmail(email: string): Promise<AdministratorWithPassword | undefined> {
      const [row] = await database.query<{ id: string; email: string; password_hash: string }>(
        `SELECT id, email, password_hash FROM administrators WHERE email = lower($1)`,
        [email],
      );
      return row && { id: row.id, email: row.email, passwordHash: row.password_hash };
    },

    async exist(): Promise<boolean> {
      const rows = await database.query(`SELECT FROM administrators LIMIT 1`);
      return rows.length > 0;
    },

    /** Creates the first one. Of replicas that start together, one does it. */
    async createFirst(email: string, passwordHash: string): Promise<boolean> {
      return database.transaction(async (transaction) => {
        await transaction.query(`LOCK TABLE administrators IN SHARE ROW EXCLUSIVE MODE`);
        const rows = await transaction.query(
          `WITH created AS (
             INSERT INTO administrators (email, password_hash)
             SELECT lower($1), $2 WHERE NOT EXISTS (SELECT FROM administrators)
             RETURNING email
           )
           INSERT INTO audit (actor, action, details)
           SELECT 'key-service', 'administrator.created', jsonb_build_object('email', email) FROM created
           RETURNING id`,
          [email, passwordHash],
        );
        return rows.length > 0;
      });
    },
  };
}

export type AdministratorsRepository = ReturnType<typeof createAdministratorsRepository>;
