import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CHECKOUT = join(import.meta.dirname, '..', '..');

/**
 * What stands for the version before as long as there is no release: from here on the tables of PostgreSQL and of ClickHouse have
 * both changed. Delete it with the second release.
 */
const BEFORE_THE_FIRST_RELEASE = '2b94e26838a7017eace725140316117e0ffb8789';

/** The sources of a version, from where its services can be started. */
export interface Version {
  name: string;
  directory: string;
}

export const THIS_VERSION: Version = { name: 'this version', directory: CHECKOUT };

/** The newest release that this commit comes after. */
export async function versionBefore(): Promise<string> {
  const { stdout: tags } = await git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname');
  const { stdout: own } = await git('tag', '--points-at', 'HEAD');
  const releases = tags.split('\n').filter((tag) => tag !== '' && !own.split('\n').includes(tag));
  return releases[0] ?? BEFORE_THE_FIRST_RELEASE;
}

/** Whether the history has it: a shallow clone has not. */
export async function isThere(commit: string): Promise<boolean> {
  return git('cat-file', '-e', `${commit}^{commit}`).then(
    () => true,
    () => false,
  );
}

/**
 * Lays out a version of the history, on the packages that are installed here: the older sources, with the versions of today of
 * what they use.
 */
export async function layOut(commit: string): Promise<Version & { remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'cellarman-version-before-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const archive = join(directory, 'archive.tar');
    await git('archive', '--output', archive, commit, 'libs', 'services', 'package.json');
    await run('tar', ['-xf', archive, '-C', directory]);
    for (const folder of ['libs', 'services']) {
      for (const name of await readdir(join(directory, folder)))
        await linkPackages(directory, join(folder, name));
    }
    return { name: commit.slice(0, 12), directory, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function linkPackages(directory: string, folder: string): Promise<void> {
  const manifest = await readFile(join(directory, folder, 'package.json'), 'utf8');
  const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> };
  for (const [name, range] of Object.entries(dependencies)) {
    const link = join(directory, folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(
      range.startsWith('workspace:')
        ? join(directory, 'libs', basename(name))
        : await installed(folder, name),
      link,
    );
  }
}

/**
 * A package may have been used elsewhere then: pnpm keeps links to all that are installed. One that only the version before uses is a
 * dependency of these tests.
 */
async function installed(folder: string, name: string): Promise<string> {
  const own = join(CHECKOUT, folder, 'node_modules', name);
  const ours = join(import.meta.dirname, 'node_modules', name);
  const any = join(CHECKOUT, 'node_modules', '.pnpm', 'node_modules', name);
  return realpath(own)
    .catch(() => realpath(ours))
    .catch(() => realpath(any));
}

function git(...args: string[]): Promise<{ stdout: string }> {
  return run('git', args, { cwd: CHECKOUT });
}
