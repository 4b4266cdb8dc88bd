import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from './install-once.ts';

const run = promisify(execFile);

export type PythonEnvironment = { python: string } | { missing: string };

/** A virtual environment with the packages of a requirements file. Needs python3 with venv, and PyPI. */
export async function pythonEnvironment(requirements: string): Promise<PythonEnvironment> {
  const pythonIn = (folder: string) => join(folder, 'bin', 'python');
  const installed = await installOnce('python', [requirements], async (folder) => {
    await run('python3', ['-m', 'venv', folder]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await run(pythonIn(folder), [...pip, '-r', requirements]);
  });
  return 'missing' in installed ? installed : { python: pythonIn(installed.folder) };
}
