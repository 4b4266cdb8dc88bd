import { readFile, rename, writeFile } from 'node:fs/promises';

/** Writes a file that only its owner can read, in one step: a reader sees the old content or the new. */
export async function writePrivateJson(file: string, content: unknown): Promise<void> {
  const fresh = `${file}.new`;
  await writeFile(fresh, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(fresh, file);
}

/** Undefined when there is no such file. */
export async function readPrivateJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
