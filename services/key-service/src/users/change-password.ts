import { recordEntry } from '../changes/record-changes.ts';
import type { Actor } from '../changes/record-changes.ts';
import { ApiError } from '@cellarman/http-api';
import type { Database } from '../postgres/database.ts';
import { deleteSessions } from '../sessions/end-sessions.ts';
import type { Known } from '../access/account.ts';
import type { CheckPassword } from './check-password.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import type { Passwords } from '../passwords/password.ts';

export interface PasswordChange {
  email: string;
  currentPassword: string;
  newPassword: string;
  actor: Actor;
}

/**
 * Changes the password of a user who knows the current one, and ends all their sessions.
 *
 * @throws {ApiError} `forbidden` when the current one is wrong, `invalid_request` when the new one is weak
 */
export function createChangePassword(parts: {
  database: Database;
  checkPassword: CheckPassword;
  passwords: Passwords;
}) {
  const { database, checkPassword, passwords } = parts;
  return async ({ email, currentPassword, newPassword, actor }: PasswordChange): Promise<Known> => {
    requireGoodPassword(newPassword, email);
    const user = await checkPassword(email, currentPassword, actor.address ?? '');
    const newHash = await passwords.hash(newPassword);
    await database.transaction(async (transaction) => {
      // Only if it is still the one that was checked: of two concurrent changes, one succeeds.
      const rows = await transaction.query(
        `UPDATE administrators SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING id`,
        [user.id, user.passwordHash, newHash],
      );
      if (rows.length === 0) throw new ApiError('forbidden', 'The password has just been changed');
      const endedSessions = await deleteSessions(transaction, user.id);
      await recordEntry(transaction, actor, {
        action: 'user.password_changed',
        details: { email, endedSessions },
      });
    });
    return { ...user, passwordHash: newHash };
  };
}

export type ChangePassword = ReturnType<typeof createChangePassword>;
