import { coalesceRequests } from '@cellarman/concurrency';
import type { UsersRepository } from '../users/users-repository.ts';
import type { Known } from '../access/account.ts';
import type { Passwords } from '../passwords/password.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import { ApiError } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { createSecret, hashSecret } from '../secrets/random-secret.ts';

/** Long enough to open a browser. Who comes later starts key-service again, which logs a new token. */
const TOKEN_LIFETIME_SECONDS = 3_600;

export interface FirstUser {
  token: string;
  email: string;
  password: string;
  /** The IP address that the request came from. */
  address: string;
}

/** The first start of an installation: a person who can read its log creates the first user, once. */
export function createSetUp(parts: { database: Queryable; users: UsersRepository; passwords: Passwords }) {
  const { database, users, passwords } = parts;
  // Anyone can call this, so concurrent calls share one statement.
  const exist = coalesceRequests({
    send: async (requests: readonly null[]) => {
      const exists = await users.exist();
      return requests.map(() => exists);
    },
    maxBatch: 1_000,
    maxInFlight: 1,
  });

  async function isKnown(hash: Buffer): Promise<boolean> {
    const rows = await database.query(`SELECT FROM set_up_tokens WHERE hash = $1 AND expires_at > now()`, [
      hash,
    ]);
    return rows.length > 0;
  }

  return {
    isNeeded: async (): Promise<boolean> => !(await exist(null)),

    /** @returns the token, which is stored nowhere, and when it expires */
    async createToken(): Promise<{ token: string; expiresAt: Date }> {
      const token = createSecret();
      const [row] = await database.query<{ expires_at: Date }>(
        `WITH over AS (DELETE FROM set_up_tokens WHERE expires_at <= now())
         INSERT INTO set_up_tokens (hash, expires_at) VALUES ($1, now() + make_interval(secs => $2))
         RETURNING expires_at`,
        [hashSecret(token), TOKEN_LIFETIME_SECONDS],
      );
      if (row === undefined) throw new Error('INSERT returned no row');
      return { token, expiresAt: row.expires_at };
    },

    /** @throws {ApiError} `conflict` when the first user exists already, `unauthenticated` without a valid token */
    async finish({ token, email, password, address }: FirstUser): Promise<Known> {
      if (await exist(null)) throw alreadySetUp();
      const hash = hashSecret(token);
      // Before the password is hashed, which takes long.
      // A request at the same time may just have used it.
      if (!(await isKnown(hash))) throw (await exist(null)) ? alreadySetUp() : wrongToken();
      requireGoodPassword(password, email);
      const passwordHash = await passwords.hash(password);
      const created = await users.createFirst(
        { email, passwordHash },
        (id) => ({ id, name: email.toLowerCase(), address }),
        async (transaction) => {
          const rows = await transaction.query(
            `DELETE FROM set_up_tokens WHERE hash = $1 AND expires_at > now() RETURNING hash`,
            [hash],
          );
          if (rows.length === 0) throw wrongToken();
          await transaction.query(`DELETE FROM set_up_tokens`);
        },
      );
      if (created === undefined) throw alreadySetUp();
      return created;
    },
  };
}

export type SetUp = ReturnType<typeof createSetUp>;

function alreadySetUp(): ApiError {
  return new ApiError('conflict', 'Set-up is already complete. Sign in.');
}

function wrongToken(): ApiError {
  return new ApiError(
    'unauthenticated',
    'The set-up token is wrong or has expired. Restart key-service to log a new one.',
  );
}
