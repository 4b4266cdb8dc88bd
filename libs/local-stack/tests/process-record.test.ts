import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { identify, takeOver, writeRecord } from '../src/supervise/process-record.ts';
import type { ProcessIdentity } from '../src/supervise/process-record.ts';
import { startWatchdog } from '../src/supervise/watchdog.ts';
import { isRunning } from './long-running.ts';

describe('what a supervisor leaves behind', () => {
  let directory: string;
  let record: string;
  const children: ChildProcess[] = [];

  async function runSomething(): Promise<ProcessIdentity> {
    const child = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1000)']);
    children.push(child);
    await once(child, 'spawn');
    return identify(child.pid ?? 0) ?? expect.fail('it does not run');
  }

  async function goneProcess(): Promise<ProcessIdentity> {
    const identity = await runSomething();
    const child = children.at(-1);
    child?.kill('SIGKILL');
    if (child !== undefined) await once(child, 'exit');
    return identity;
  }

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cellarman-record-'));
    record = join(directory, 'processes.json');
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  });

  test('the next start stops it', async () => {
    const left = await runSomething();
    writeRecord(record, { supervisor: await goneProcess(), processes: [left] });

    await takeOver(record);

    expect(identify(left.pid)).toBeUndefined();
  });

  test('a process that has got the same id since is not touched', async () => {
    const other = await runSomething();
    writeRecord(record, {
      supervisor: await goneProcess(),
      processes: [{ pid: other.pid, began: 'at another time' }],
    });

    await takeOver(record);

    expect(isRunning(other.pid)).toBe(true);
  });

  test('a directory whose supervisor runs is rejected', async () => {
    const supervisor = await runSomething();
    writeRecord(record, { supervisor, processes: [] });

    await expect(takeOver(record)).rejects.toThrow(`already runs here, as process ${supervisor.pid}`);
  });

  test('the watchdog stops it as soon as the supervisor is gone', async () => {
    const left = await runSomething();
    writeRecord(record, { supervisor: await goneProcess(), processes: [left] });

    // Its input ends, as it does when the supervisor dies.
    startWatchdog(record).dismiss();

    await vi.waitFor(() => expect(identify(left.pid)).toBeUndefined(), { timeout: 15_000 });
  });
});
