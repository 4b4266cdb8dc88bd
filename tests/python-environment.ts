import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

export type PythonEnvironment = { python: string } | { missing: string };

/**
 * A virtual environment with the packages of a requirements file, made once and kept in `.local/`.
 *
 * Python may be missing on a machine: without it, or without a way to PyPI, the caller learns why.
 *
 * @param requirements path of the file
 */
export async function pythonEnvironment(requirements: string): Promise<PythonEnvironment> {
  const fingerprint = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const folder = join(root, '.local', `python-${fingerprint}`);
  const python = join(folder, 'bin', 'python');
  const complete = join(folder, 'complete');
  try {
    await readFile(complete);
    return { python };
  } catch {
    // Not made yet, or only in part.
  }
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await run('python3', ['-m', 'venv', folder]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
    await writeFile(complete, '');
    return { python };
  } catch (error) {
    return { missing: lastLine(error) };
  }
}

function lastLine(error: unknown): string {
  const { stderr = '', stdout = '', message } = error as Error & { stderr?: string; stdout?: string };
  return `${stdout}\n${stderr}`.trim().split('\n').at(-1) || message;
}
