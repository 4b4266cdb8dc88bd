import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unusedPorts } from '../src/ports.ts';
import { spawnProcess } from '../src/supervise/spawn-process.ts';

test('a process that does not become ready is reported with the last failure', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cellarman-spawn-'));
  const [port = 0] = await unusedPorts(1);
  const silent = await spawnProcess({
    name: 'silent',
    command: process.execPath,
    args: ['--eval', 'setInterval(() => undefined, 1000)'],
    cwd: directory,
    env: {},
    logFile: join(directory, 'silent.log'),
    answers: async () => (await fetch(`http://127.0.0.1:${port}`)).ok,
    readyDeadlineMs: 100,
  });
  await expect(silent.ready()).rejects.toThrow(
    `did not become ready within 0.1 s (connect ECONNREFUSED 127.0.0.1:${port})`,
  );
  await silent.stop();
  await rm(directory, { recursive: true });
});
