import { join } from 'node:path';
import { pythonEnvironment } from '../../python-environment.ts';
import type { PythonEnvironment } from '../../python-environment.ts';

/** An environment with schemathesis, made on first use, or one line that says what it needs. */
export async function findSchemathesis(): Promise<PythonEnvironment> {
  const environment = await pythonEnvironment(join(import.meta.dirname, 'requirements.txt'));
  if ('python' in environment) return environment;
  return { missing: `It needs python3 (3.11 or later) with venv, and PyPI: ${environment.missing}` };
}
