import type { Logger } from '@cellarman/telemetry';
import type { Config } from '../config.ts';
import type { AdministratorsRepository } from './administrators-repository.ts';
import type { Passwords } from './password.ts';

/** Nobody can sign in to a new installation, so its first administrator comes from the environment. */
export async function createFirstAdministrator(parts: {
  administrators: AdministratorsRepository;
  passwords: Passwords;
  config: Pick<Config, 'ADMIN_EMAIL' | 'ADMIN_PASSWORD'>;
  logger: Logger;
}): Promise<void> {
  const { administrators, passwords, config, logger } = parts;
  if (await administrators.exist()) return;
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
  if (email === undefined || password === undefined) {
    logger.warn({}, 'there is no administrator yet: set ADMIN_EMAIL and ADMIN_PASSWORD and start again');
    return;
  }
  const created = await administrators.createFirst(email, await passwords.hash(password));
  if (created) logger.info({ email }, 'the first administrator was created');
}
