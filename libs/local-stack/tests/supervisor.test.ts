import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSupervisor } from '../src/supervise/supervisor.ts';
import type { Supervisor, SupervisorEvent } from '../src/supervise/supervisor.ts';
import { isRunning, longRunning, program } from './long-running.ts';

describe('the supervisor', () => {
  let directory: string;
  let supervisor: Supervisor;
  let events: SupervisorEvent[];

  const eventsOf = <Type extends SupervisorEvent['type']>(type: Type) =>
    events.filter((event): event is Extract<SupervisorEvent, { type: Type }> => event.type === type);

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cellarman-supervisor-'));
    events = [];
    supervisor = createSupervisor({ onEvent: (event) => void events.push(event) });
  });

  afterEach(async () => {
    await supervisor.stop();
    await rm(directory, { recursive: true, force: true });
  });

  test('starts a part again that was killed, as another process', async () => {
    await supervisor.supervise([longRunning('part', directory)]);
    const [first = 0] = supervisor.processes()['part'] ?? [];

    supervisor.kill('part', 0, 'SIGKILL');
    await vi.waitFor(() => expect(eventsOf('ready')).toHaveLength(2), { timeout: 10_000 });

    const [second = 0] = supervisor.processes()['part'] ?? [];
    expect(second).not.toBe(first);
    expect(isRunning(first)).toBe(false);
    expect(isRunning(second)).toBe(true);
    expect(eventsOf('ended')[0]).toMatchObject({ pid: first, exit: { signal: 'SIGKILL', code: null } });
  });

  test('kills one of several of a kind and leaves the others', async () => {
    const replica = (name: string) => ({ ...longRunning(name, directory), kind: 'replica' });
    await supervisor.supervise([replica('one'), replica('two')]);
    const [one, two] = supervisor.processes()['replica'] ?? [];

    supervisor.kill('replica', 1, 'SIGKILL');
    await vi.waitFor(() => expect(eventsOf('ready')).toHaveLength(3), { timeout: 10_000 });

    expect(supervisor.processes()['replica']?.[0]).toBe(one);
    expect(supervisor.processes()['replica']?.[1]).not.toBe(two);
  });

  test('keeps a part down until it may run again', async () => {
    await supervisor.supervise([longRunning('part', directory), longRunning('witness', directory)]);
    const [first = 0] = supervisor.processes()['part'] ?? [];

    const release = await supervisor.takeDown('part', 0);
    expect(isRunning(first)).toBe(false);
    // A part that is killed later is back before the one that is held.
    supervisor.kill('witness', 0, 'SIGKILL');
    await vi.waitFor(() => expect(eventsOf('ready')).toHaveLength(3), { timeout: 10_000 });
    expect(eventsOf('ready').filter(({ name }) => name === 'part')).toHaveLength(1);

    release();
    await vi.waitFor(() => expect(eventsOf('ready')).toHaveLength(4), { timeout: 10_000 });
    expect(isRunning(supervisor.processes()['part']?.[0] ?? 0)).toBe(true);
  });

  test('can be stopped while it keeps a part down', async () => {
    await supervisor.supervise([longRunning('part', directory)]);
    await supervisor.takeDown('part', 0);
    await supervisor.stop();
    expect(eventsOf('ready')).toHaveLength(1);
  });

  test('says why when a part ends before it responds, and does not start it again', async () => {
    const script = 'console.error("no such disk"); process.exit(3)';
    const broken = program('broken', directory, script, false);

    await expect(supervisor.supervise([broken])).rejects.toThrow(
      /broken ended \(exit code 3\) before it was ready[^]*no such disk/,
    );
    await supervisor.stop();
    expect(eventsOf('started')).toHaveLength(1);
  });

  test('tries a part that cannot start again after longer and longer pauses', async () => {
    let starts = 0;
    const part = longRunning('part', directory);
    const onceOnly = {
      ...part,
      start: () => (starts++ === 0 ? part.start() : Promise.reject(new Error('no memory'))),
    };
    await supervisor.supervise([onceOnly]);

    supervisor.kill('part', 0, 'SIGKILL');
    await vi.waitFor(() => expect(eventsOf('failed')).toHaveLength(3), { timeout: 20_000 });

    expect(eventsOf('failed').map(({ retryInMs }) => retryInMs)).toEqual([500, 1_000, 2_000]);
    expect(eventsOf('failed')[0]?.error.message).toBe('no memory');
  });

  test('stops the stage that was started last first, and starts nothing again', async () => {
    const stopped: string[] = [];
    const noted = (name: string) => {
      const part = longRunning(name, directory);
      return {
        ...part,
        start: async () => {
          const running = await part.start();
          void running.exited.then(() => stopped.push(name));
          return running;
        },
      };
    };
    await supervisor.supervise([noted('engine')]);
    await supervisor.supervise([noted('service')]);
    const pids = Object.values(supervisor.processes()).flat();

    await supervisor.stop();

    expect(stopped).toEqual(['service', 'engine']);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(eventsOf('ended')).toEqual([]);
  });

  test('starts nothing more once it has been stopped', async () => {
    await supervisor.stop();
    await expect(supervisor.supervise([longRunning('part', directory)])).rejects.toThrow(/Stopped/);
    expect(eventsOf('started')).toEqual([]);
  });
});
