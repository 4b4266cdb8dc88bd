import type { Logger } from '@cellarman/telemetry';
import type { UsersRepository } from './users-repository.ts';
import type { Passwords } from '../passwords/password.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';

/** The first user of an installation that is given one in its environment. */
export async function createFirstUser(parts: {
  users: UsersRepository;
  passwords: Passwords;
  email: string;
  password: string;
  logger: Logger;
}): Promise<void> {
  const { users, passwords, email, password, logger } = parts;
  requireGoodPassword(password, email);
  const passwordHash = await passwords.hash(password);
  const service = { id: null, name: 'key-service', address: null };
  const created = await users.createFirst({ email, passwordHash }, () => service);
  if (created !== undefined) logger.info({ email }, 'created the first user');
}
