import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { identify } from '../src/supervise/process-record.ts';
import { scratchDirectory } from '../src/supervise/scratch-directory.ts';

const PROGRAM = fileURLToPath(new URL('./programs/with-scratch-directory.ts', import.meta.url));

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'error'] as const)(
  'a program that ends by %s leaves neither a process nor its directory',
  async (end) => {
    const program = spawn(process.execPath, [PROGRAM, end], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void program.kill('SIGKILL'));
    const exited = once(program, 'exit');
    const [printed] = (await once(program.stdout, 'data')) as [Buffer];
    const { path, pid } = JSON.parse(printed.toString()) as { path: string; pid: number };
    onTestFinished(() => {
      if (identify(pid) !== undefined) process.kill(pid, 'SIGKILL');
    });
    if (end !== 'error') program.kill(end);
    await exited;
    await vi.waitFor(
      async () => {
        expect(identify(pid)).toBeUndefined();
        expect(await exists(path)).toBe(false);
      },
      { timeout: 20_000 },
    );
  },
);

test('a directory that is no longer needed goes immediately', async () => {
  const scratch = await scratchDirectory('cellarman-scratch-test-');
  await writeFile(join(scratch.path, 'file'), 'text');
  await scratch.remove();
  expect(await exists(scratch.path)).toBe(false);
});
