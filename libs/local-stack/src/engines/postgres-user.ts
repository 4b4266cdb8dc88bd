import { chown } from 'node:fs/promises';
import { runCommand } from '../run-command.ts';
import { StartError } from '../start-error.ts';

/** The user that runs PostgreSQL's programs, and the command line that switches to it. */
export interface PostgresUser {
  user?: { uid: number; gid: number };
  commandLine: (program: string, args: readonly string[]) => { command: string; args: string[] };
}

const OURSELVES: PostgresUser = {
  commandLine: (program, args) => ({ command: program, args: [...args] }),
};

/** Root under an ordinary number: the files stay ours, and PostgreSQL, which rejects root, sees no root. */
const ROOT_RENAMED: PostgresUser = {
  commandLine: (program, args) => ({
    command: 'unshare',
    args: ['--user', '--map-user=1000', '--map-group=1000', '--', program, ...args],
  }),
};

/**
 * Returns the user that runs PostgreSQL, which does not run as root. For root, that is an ordinary user if it can reach the
 * program and the data. Otherwise (a checkout below a directory that only root may enter, such as /root) it is root itself,
 * mapped to another user id in a user namespace.
 *
 * @param owner the owner of an existing database, who stays its owner
 * @throws {StartError} when neither is possible
 */
export async function postgresUser(
  program: string,
  home: string,
  owner: number | undefined,
): Promise<PostgresUser> {
  if (process.getuid?.() !== 0) return OURSELVES;

  const candidates = owner === undefined ? ['postgres', 'nobody'] : owner === 0 ? [] : [String(owner)];
  for (const name of candidates) {
    const user = await lookUp(name);
    if (user === undefined) continue;
    await chown(home, user.uid, user.gid);
    const ordinary = { ...OURSELVES, user };
    if (await canRun(ordinary, program, home)) return ordinary;
    await chown(home, 0, 0);
  }
  if (await canRun(ROOT_RENAMED, program, home)) return ROOT_RENAMED;
  throw new StartError(
    `PostgreSQL does not run as root, and no other user can reach ${home}. ` +
      'Start Cellarman as an ordinary user, or keep the checkout where other users may enter (not below /root).',
  );
}

async function lookUp(name: string): Promise<{ uid: number; gid: number } | undefined> {
  const [uid, gid] = await Promise.all([runCommand('id', ['-u', name]), runCommand('id', ['-g', name])]);
  if (uid.exitCode !== 0 || gid.exitCode !== 0) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}

async function canRun(as: PostgresUser, program: string, home: string): Promise<boolean> {
  const { command, args } = as.commandLine('sh', [
    '-c',
    '"$1" --version && test -w "$2"',
    'sh',
    program,
    home,
  ]);
  return (await runCommand(command, args, { ...as.user })).exitCode === 0;
}
