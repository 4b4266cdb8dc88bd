import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

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
