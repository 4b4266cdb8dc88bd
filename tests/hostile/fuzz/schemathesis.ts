import { join } from 'node:path';
import { pythonEnvironment } from '../../python-environment.ts';

/**
 * The interpreter of an environment with schemathesis, made on first use.
 *
 * @throws {Error} with one line that says what is missing
 */
export async function schemathesis(): Promise<string> {
  const environment = await pythonEnvironment(join(import.meta.dirname, 'requirements.txt'));
  if ('missing' in environment) {
    throw new Error(`Fuzzing needs python3 (3.11 or later) with venv, and PyPI: ${environment.missing}`);
  }
  return environment.python;
}
