import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { driver, withClient } from './python.ts';

const run = promisify(execFile);

test.skipIf(driver === undefined).each(['test_client', 'test_power_loss'])(
  '%s',
  { timeout: 120_000 },
  async (module) => {
    const [command, ...args] = [...withClient, '-W', 'error', '-m', 'unittest', module];
    const { stderr } = await run(command, args, { cwd: import.meta.dirname });
    expect(stderr).toMatch(/^OK$/m);
  },
);
