import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { driver, withClient } from './python.ts';

if (driver === undefined) {
  process.stderr.write('NOT RUN: the Python client. It needs Python 3.9 with sqlite3\n');
}

/** Registers a test that runs one module of unittest. */
export function testModule(module: string): void {
  test.skipIf(driver === undefined)(module, { timeout: 120_000 }, async () => {
    const [command, ...args] = [...withClient, '-W', 'error', '-m', 'unittest', module];
    const { stderr } = await promisify(execFile)(command, args, { cwd: import.meta.dirname });
    expect(stderr).toMatch(/^OK$/m);
  });
}
