import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Installs into a folder in `.local/` once, until one of the files that describe the installation changes.
 *
 * The tools and registries for it may be missing on a machine: the caller then learns why.
 *
 * @param describedBy paths of the files
 */
export async function installOnce(
  name: string,
  describedBy: readonly string[],
  install: (folder: string) => Promise<unknown>,
): Promise<{ folder: string } | { missing: string }> {
  const hash = createHash('sha256');
  for (const file of describedBy) hash.update(await readFile(file));
  const folder = join(root, '.local', `${name}-${hash.digest('hex').slice(0, 12)}`);
  const complete = join(folder, 'complete');
  try {
    await readFile(complete);
    return { folder };
  } catch {
    // Not installed yet, or only in part.
  }
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await install(folder);
    await writeFile(complete, '');
    return { folder };
  } catch (error) {
    return { missing: lastLine(error) };
  }
}

function lastLine(error: unknown): string {
  const { stderr = '', stdout = '', message } = error as Error & { stderr?: string; stdout?: string };
  return `${stdout}\n${stderr}`.trim().split('\n').at(-1) || message;
}
