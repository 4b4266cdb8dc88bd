import { ApiError } from '@cellarman/http-api';
import type { SignInThrottle } from '../sessions/sign-in-throttle.ts';
import type { UsersRepository } from './users-repository.ts';
import type { Known } from '../access/account.ts';
import type { Passwords } from '../passwords/password.ts';

/**
 * Checks the password of a signed-in user. Each attempt counts as a sign-in attempt, so that an unlocked browser does not help
 * to guess it.
 *
 * @throws {ApiError} `forbidden` when it is wrong, `rate_limited`
 */
export type CheckPassword = (email: string, password: string, address: string) => Promise<Known>;

export function createCheckPassword(parts: {
  users: UsersRepository;
  passwords: Passwords;
  throttle: SignInThrottle;
}): CheckPassword {
  const { users, passwords, throttle } = parts;
  return async (email, password, address) => {
    await throttle.take(email, address);
    const user = await users.findByEmail(email);
    const right = await passwords.verify(password, user?.passwordHash);
    if (user === undefined || !right) throw new ApiError('forbidden', 'Wrong current password');
    await throttle.giveBack(email, address);
    return user;
  };
}
