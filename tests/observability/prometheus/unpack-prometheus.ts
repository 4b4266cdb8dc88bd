import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BIN = join(import.meta.dirname, '..', '..', '..', '.local', 'bin');
const PACKAGE = 'prometheus';

/**
 * Takes `prometheus` and `promtool` out of Debian's package without installing it, which would start a server. apt checks
 * the signature. A build from the Go module would compile clients of every cloud that Prometheus can discover targets in.
 *
 * @returns the directory of both
 */
export async function unpackPrometheus(): Promise<string> {
  // promtool comes last, so it is there only when both are.
  if (await exists(join(BIN, 'promtool'))) return BIN;
  await mkdir(BIN, { recursive: true });
  const scratch = await mkdtemp(join(BIN, 'download-'));
  try {
    await download(scratch);
    const [archive = ''] = (await readdir(scratch)).filter((name) => name.endsWith('.deb'));
    await run('dpkg-deb', ['--extract', join(scratch, archive), scratch]);
    for (const tool of ['prometheus', 'promtool'])
      await rename(join(scratch, 'usr', 'bin', tool), join(BIN, tool));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return BIN;
}

async function download(directory: string): Promise<void> {
  const get = () => run('apt-get', ['download', PACKAGE], { cwd: directory });
  // A new machine has no list of packages yet.
  await get().catch(() => run('apt-get', ['update']).then(get));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
