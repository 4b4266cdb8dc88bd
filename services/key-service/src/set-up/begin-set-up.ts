import type { Logger } from '@cellarman/telemetry';
import type { UsersRepository } from '../users/users-repository.ts';
import { createFirstUser } from '../users/create-first-user.ts';
import type { Passwords } from '../passwords/password.ts';
import type { Config } from '../config.ts';
import type { SetUp } from './set-up.ts';

/**
 * A new installation has no users. The first one comes from the environment, or is created by a person who can read the log:
 * the token in it is the one secret that is ever logged.
 */
export async function beginSetUp(parts: {
  users: UsersRepository;
  passwords: Passwords;
  setUp: SetUp;
  config: Pick<Config, 'ADMIN_EMAIL' | 'ADMIN_PASSWORD'>;
  logger: Logger;
}): Promise<void> {
  const { users, setUp, config, logger } = parts;
  if (await users.exist()) return;
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
  if (email !== undefined && password !== undefined) {
    await createFirstUser({ ...parts, email, password });
    return;
  }
  const { token, expiresAt } = await setUp.createToken();
  logger.warn(
    { setUpToken: token, expiresAt },
    'no user exists yet: open the dashboard and create the first user with this one-time token',
  );
}
