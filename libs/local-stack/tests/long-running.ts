import { join } from 'node:path';
import { spawnProcess } from '../src/supervise/spawn-process.ts';
import type { Startable } from '../src/supervise/startable.ts';

/** A real process that runs until it is stopped, for tests of the supervisor. */
export function longRunning(name: string, directory: string): Startable {
  return program(name, directory, 'setInterval(() => undefined, 1000)');
}

/** A real process with the given script; it is ready as soon as it runs, or never. */
export function program(name: string, directory: string, script: string, answers = true): Startable {
  return {
    name,
    kind: name,
    start: () =>
      spawnProcess({
        name,
        command: process.execPath,
        args: ['--eval', script],
        cwd: directory,
        env: {},
        logFile: join(directory, `${name}.log`),
        answers: () => Promise.resolve(answers),
      }),
  };
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
