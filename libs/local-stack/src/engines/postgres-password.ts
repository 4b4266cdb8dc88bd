import { createHash } from 'node:crypto';
import { readFile, rename, stat, writeFile, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { lastLines } from '../last-lines.ts';
import { runCommand } from '../run-command.ts';
import { StartError } from '../start-error.ts';
import type { PostgresUser } from './postgres-user.ts';

export interface PasswordOptions {
  /** The server. */
  program: string;
  /** Its data, while no server runs on it. */
  cluster: string;
  password: string;
  env: NodeJS.ProcessEnv;
  as: PostgresUser;
}

/**
 * Makes PostgreSQL require the password of its superuser, also for data that was created without a password or with another
 * one.
 *
 * @throws {StartError} when the password cannot be set
 */
export async function requirePassword({
  program,
  cluster,
  password,
  env,
  as,
}: PasswordOptions): Promise<void> {
  const file = join(cluster, 'pg_hba.conf');
  const rules = accessRules(password);
  if ((await readFile(file, 'utf8')) === rules) return;

  // Single-user mode needs neither a network nor authentication, only access to the files.
  const { command, args } = as.commandLine(program, ['--single', '-D', cluster, 'postgres']);
  const { exitCode, output } = await runCommand(command, args, {
    ...{ cwd: cluster, env, ...as.user },
    input: `ALTER ROLE postgres PASSWORD '${password}'\n`,
  });
  // A statement that fails does not end this mode.
  if (exitCode !== 0 || /(ERROR|FATAL):/.test(output)) {
    throw new StartError(`The password of PostgreSQL cannot be set:\n${lastLines(output)}`);
  }
  const { uid, gid } = await stat(cluster);
  await writeFile(`${file}.new`, rules, { mode: 0o600 });
  await chown(`${file}.new`, uid, gid);
  await rename(`${file}.new`, file);
}

/** With a fingerprint of the password (144 random bits), which says whether it is the one that was set. */
function accessRules(password: string): string {
  return `# Written by Cellarman's local stack. Password: ${createHash('sha256').update(password).digest('hex')}
host all all all scram-sha-256
host replication all all scram-sha-256
`;
}
