import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./programs/service.ts', import.meta.url));
const WAIT = { timeout: 20_000 };

const started = new Set<ReturnType<typeof start>>();

function start(...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const program = {
    out: '',
    err: '',
    ended: once(child, 'close') as Promise<[code: number | null, signal: string | null]>,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    printed: (text: string) => vi.waitFor(() => expect(program.out).toContain(text), WAIT),
    lines: () =>
      program.err
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
  child.stdout.on('data', (chunk: Buffer) => (program.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (program.err += chunk.toString()));
  started.add(program);
  return program;
}

afterEach(async () => {
  for (const program of started) program.signal('SIGKILL');
  await Promise.all([...started].map((program) => program.ended));
  started.clear();
});

describe('the configuration', () => {
  it('is checked and nothing is started with --check-config', async () => {
    const program = start('migrate', '--check-config');
    expect(await program.ended).toEqual([0, null]);
    expect(program.out).toBe('program: the configuration is valid\n');
  });

  it.each([['--check-config'], []])('prints every problem and ends with 1 (%s)', async (...flags) => {
    const program = start('bad-config', ...flags);
    expect(await program.ended).toEqual([1, null]);
    expect(program.err).toBe('PORT must be integer\nREDIS_URL is missing\n');
  });
});

describe('the start', () => {
  it('ends with 0 when the work is done immediately', async () => {
    expect(await start('migrate').ended).toEqual([0, null]);
  });

  it('ends with 1 and one line when it fails', async () => {
    const program = start('bad-start');
    expect(await program.ended).toEqual([1, null]);
    expect(program.lines()).toMatchObject([
      { level: 'fatal', msg: 'program could not start', err: { message: 'Kafka is away' } },
    ]);
  });

  it('gives way to a signal', async () => {
    const program = start('slow-start');
    await program.printed('starting');
    program.signal('SIGTERM');
    expect(await program.ended).toEqual([0, null]);
    expect(program.lines()).toMatchObject([{ msg: 'program was stopped before it had started' }]);
  });
});

describe('an orderly stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('runs the steps on %s and ends with 0', async (signal) => {
    const program = start('run');
    await program.printed('ready');
    program.signal(signal);
    expect(await program.ended).toEqual([0, null]);
    expect(program.out).toBe('ready\nstopping\nflushed\n');
    expect(program.lines()).toMatchObject([
      { msg: 'program stops', signal },
      { msg: 'program has stopped', signal },
    ]);
  });

  it('ends with 1 at its deadline and says what was left', async () => {
    const program = start('slow-stop');
    await program.printed('ready');
    program.signal('SIGTERM');
    expect(await program.ended).toEqual([1, null]);
    expect(program.lines().at(-1)).toMatchObject({
      level: 'fatal',
      msg: 'program did not stop within 100 ms, still running: flush lanes: 12 readings in flight',
    });
  });

  it('ends with 1 when a step fails', async () => {
    const program = start('bad-stop');
    await program.printed('ready');
    program.signal('SIGTERM');
    expect(await program.ended).toEqual([1, null]);
    expect(program.lines().at(-1)).toMatchObject({
      msg: 'program could not stop cleanly, still running: flush lanes',
      err: { message: 'no broker' },
    });
  });

  it('is cut short by a second signal', async () => {
    const program = start('hang');
    await program.printed('ready');
    program.signal('SIGTERM');
    await program.printed('stopping');
    program.signal('SIGINT');
    expect(await program.ended).toEqual([130, null]);
    expect(program.lines().at(-1)).toMatchObject({ left: 'flush lanes: 12 readings in flight' });
  });
});

describe('an uncaught error', () => {
  it.each([
    ['throw', 'uncaught error, exiting', 'thrown out of nowhere'],
    ['reject', 'a rejection was not handled, the process ends', 'nobody waits'],
    ['fail', 'the consumer crashed', 'no more group'],
  ])('%s: is logged once and ends with 1', async (behaviour, msg, message) => {
    const program = start(behaviour);
    expect(await program.ended).toEqual([1, null]);
    expect(program.lines()).toMatchObject([{ level: 'fatal', msg, err: { message } }]);
  });
});
