import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./programs/log-lines.ts', import.meta.url));
/** Twice what a program keeps for its reader, at a kilobyte each. */
const TOO_MANY = 2_048;

let program: ChildProcessByStdio<null, Readable, Readable> | undefined;
afterEach(() => program?.kill('SIGKILL'));

async function start(lines: number): Promise<ChildProcessByStdio<null, Readable, Readable>> {
  program = spawn(process.execPath, [PROGRAM, String(lines)], { stdio: ['ignore', 'pipe', 'pipe'] });
  await once(program.stderr, 'data');
  return program;
}

async function stop(started: ChildProcessByStdio<null, Readable, Readable>): Promise<unknown> {
  const exited = once(started, 'exit');
  started.kill('SIGTERM');
  return exited;
}

describe('a service ends on SIGTERM', () => {
  it('and the reader of its logs is stuck', async () => {
    const started = await start(TOO_MANY);
    expect(await stop(started)).toEqual([0, null]);
  });

  it('and the reader of its logs is gone', async () => {
    const started = await start(0);
    started.stdout.destroy();
    await once(started.stdout, 'close');
    expect(await stop(started)).toEqual([0, null]);
  });

  it('and the reader of its logs is late but gets every line', async () => {
    const started = await start(500);
    const read = text(started.stdout);
    expect(await stop(started)).toEqual([0, null]);
    const messages = (await read).trimEnd().split('\n');
    expect(messages.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      ...Array.from({ length: 500 }, () => 'line'),
      'stops',
      'has stopped',
    ]);
  });
});

it('says how many lines were left out, where they were', async () => {
  const started = await start(TOO_MANY);
  let read = '';
  started.stdout.on('data', (chunk: Buffer) => (read += chunk.toString()));
  await vi.waitFor(() => expect(read).toContain('were dropped'), { timeout: 20_000 });
  expect(await stop(started)).toEqual([0, null]);
  await vi.waitFor(() => expect(read).toContain('has stopped'), { timeout: 20_000 });

  const lines = read
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: string; service: string; msg: string });
  const [gap, ...others] = lines.filter(({ level }) => level === 'warn');
  const kept = lines.filter(({ msg }) => msg === 'line').length;
  expect(kept).toBeGreaterThan(900);
  expect(gap).toMatchObject({
    service: 'program',
    msg: `${TOO_MANY - kept} lines were dropped here because standard output was not read fast enough`,
  });
  expect(others).toEqual([]);
  expect(lines.slice(-2).map(({ msg }) => msg)).toEqual(['stops', 'has stopped']);
});
