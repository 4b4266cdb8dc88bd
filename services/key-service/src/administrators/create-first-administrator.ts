import type { Logger } from '@cellarman/telemetry';
import type { AdministratorsRepository } from './administrators-repository.ts';
import type { Passwords } from '../passwords/password.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';

/** The first administrator of an installation that is given one in its environment. */
export async function createFirstAdministrator(parts: {
  administrators: AdministratorsRepository;
  passwords: Passwords;
  email: string;
  password: string;
  logger: Logger;
}): Promise<void> {
  const { administrators, passwords, email, password, logger } = parts;
  requireGoodPassword(password, email);
  const passwordHash = await passwords.hash(password);
  const service = { id: null, name: 'key-service', address: null };
  const created = await administrators.createFirst({ email, passwordHash }, () => service);
  if (created !== undefined) logger.info({ email }, 'the first administrator was created');
}
