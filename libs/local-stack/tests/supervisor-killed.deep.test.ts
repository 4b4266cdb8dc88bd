import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startEngines } from '../src/index.ts';
import { identify } from '../src/supervise/process-record.ts';
import type { ProcessRecord } from '../src/supervise/process-record.ts';
import { startEnginesCommand } from './command.ts';

// Each starts several engines, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

test('a supervisor that is killed leaves no process behind, and the next start goes on with the data', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-killed-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const command = await startEnginesCommand(dataDir);
  const record = JSON.parse(await readFile(join(dataDir, 'processes.json'), 'utf8')) as ProcessRecord;
  expect(record.processes).toHaveLength(4);
  await expect(startEngines({ dataDir })).rejects.toThrow(/already runs here/);

  command.kill('SIGKILL');
  await once(command, 'exit');

  const running = () => record.processes.filter(({ pid }) => identify(pid) !== undefined);
  await vi.waitFor(() => expect(running()).toEqual([]), { timeout: 40_000 });
  const engines = await startEngines({ dataDir });
  await engines.stop();
});
