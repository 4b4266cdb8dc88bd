import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

/**
 * Makes a directory where there is none.
 *
 * @throws {StartError} when nothing can be written to it
 */
export async function requireWritable(directory: string): Promise<void> {
  const probe = join(directory, `.probe-${process.pid}`);
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new StartError(
      `Nothing can be written to ${directory} (${code}): make it a directory of your own, or choose another with --data-dir.`,
    );
  }
}
