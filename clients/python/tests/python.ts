import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');
const PROBE = 'import sqlite3, sys; print(sys.version_info >= (3, 9), sys.version_info >= (3, 14))';

/** `python3`, or the one that CELLARMAN_PYTHON names. */
const python = process.env['CELLARMAN_PYTHON'] ?? 'python3';

const [isNewEnough, hasZstd] = probe();
export { hasZstd };

/** Starts Python with the sources of the client. */
export const withClient = ['env', `PYTHONPATH=${join(folder, 'src')}`, 'PYTHONDONTWRITEBYTECODE=1', python];

/** The driver of the scenarios. Undefined: this machine has no Python that can run it. */
export const driver = isNewEnough ? [...withClient, join(folder, 'tests', 'driver.py')] : undefined;
if (!isNewEnough) process.stderr.write('NOT RUN: the Python client. It needs Python 3.9 with sqlite3\n');

/** Registers a test that runs one module of unittest. */
export function testModule(module: string): void {
  test.skipIf(driver === undefined)(module, { timeout: 120_000 }, async () => {
    const [command, ...args] = [...withClient, '-W', 'error', '-m', 'unittest', module];
    const { stderr } = await promisify(execFile)(command, args, { cwd: import.meta.dirname });
    expect(stderr).toMatch(/^OK$/m);
  });
}

function probe(): boolean[] {
  try {
    return execFileSync(python, ['-c', PROBE], { encoding: 'utf8' })
      .trim()
      .split(' ')
      .map((word) => word === 'True');
  } catch {
    return [false, false];
  }
}
