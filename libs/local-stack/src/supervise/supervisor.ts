import { setTimeout as sleep } from 'node:timers/promises';
import type { Exit, RunningProcess, Startable } from './startable.ts';
import { StartError } from '../start-error.ts';

/** What happens to a part while it is supervised. */
export type SupervisorEvent =
  | { type: 'started'; name: string; pid: number }
  | { type: 'ready'; name: string; pid: number; seconds: number }
  | { type: 'ended'; name: string; pid: number; exit: Exit }
  | { type: 'failed'; name: string; error: Error; retryInMs: number }
  | { type: 'unrecorded'; name: string; error: Error };

export interface SupervisorOptions {
  /** Called in order, and awaited: a file that names the processes is right before the next step is taken. */
  onEvent: (event: SupervisorEvent) => Promise<void> | void;
}

export interface Supervisor {
  /** Starts these parts in parallel and waits until all are ready. A part that exits later is restarted. */
  supervise: (stage: readonly Startable[]) => Promise<void>;
  /** The process ids by kind, each kind in the order in which its parts were given. */
  processes: () => Record<string, number[]>;
  /** @param index which of several of one kind */
  kill: (kind: string, index: number, signal: NodeJS.Signals) => void;
  /**
   * Kills a part, and prevents its restart until the returned function is called.
   *
   * @param index which of several of one kind
   */
  takeDown: (kind: string, index: number) => Promise<() => void>;
  /** Stops the stages in reverse order, the parts of a stage in parallel. A second call waits for the same stop. */
  stop: () => Promise<void>;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 5_000;
/** A part that ran this long gets an immediate first restart again. */
const STABLE_AFTER_MS = 10_000;

export function createSupervisor({ onEvent }: SupervisorOptions): Supervisor {
  const stages: Supervised[][] = [];
  const stopping = new AbortController();
  let stopped: Promise<void> | undefined;

  return {
    supervise: async (parts) => {
      throwIfStopping();
      const stage = parts.map((part) => supervisePart(part, { onEvent, stopping: stopping.signal }));
      stages.push(stage);
      await Promise.all(stage.map((supervised) => supervised.ready));
      throwIfStopping();
    },
    processes: () => {
      const byKind: Record<string, number[]> = {};
      for (const { part, pid } of stages.flat()) {
        const id = pid();
        if (id !== undefined) (byKind[part.kind] ??= []).push(id);
      }
      return byKind;
    },
    kill: (kind, index, signal) => find(kind, index).kill(signal),
    takeDown: (kind, index) => find(kind, index).takeDown(),
    stop: () => (stopped ??= stopAll()),
  };

  function find(kind: string, index: number): Supervised {
    const supervised = stages.flat().filter(({ part }) => part.kind === kind)[index];
    if (supervised === undefined) throw new Error(`There is no ${kind} number ${index}`);
    return supervised;
  }

  function throwIfStopping(): void {
    if (stopping.signal.aborted) throw new StartError('Stopped while starting.');
  }

  async function stopAll(): Promise<void> {
    stopping.abort();
    for (const stage of stages.toReversed()) {
      await Promise.all(stage.map((supervised) => supervised.stop()));
    }
  }
}

interface Supervised {
  part: Startable;
  /** Resolves when it is ready for the first time; rejects when its first start fails. */
  ready: Promise<void>;
  pid: () => number | undefined;
  kill: (signal: NodeJS.Signals) => void;
  takeDown: () => Promise<() => void>;
  stop: () => Promise<void>;
}

function supervisePart(
  part: Startable,
  { onEvent, stopping }: SupervisorOptions & { stopping: AbortSignal },
): Supervised {
  let running: RunningProcess | undefined;
  /** Settled: it may run. */
  let allowed = Promise.resolve();
  const untilStopping = new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }));
  const ready = startOnce();
  const ended = ready.then(keepRunning, () => undefined);

  return {
    part,
    ready,
    pid: () => running?.pid,
    kill: (signal) => running?.kill(signal),
    takeDown: async () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      allowed = promise.then(() => undefined);
      running?.kill('SIGKILL');
      await running?.exited;
      return () => resolve(undefined);
    },
    stop: async () => {
      await running?.stop();
      await ended;
    },
  };

  async function startOnce(): Promise<void> {
    const begin = performance.now();
    const process = await part.start();
    running = process;
    if (stopping.aborted) return process.stop();
    await onEvent({ type: 'started', name: part.name, pid: process.pid });
    await process.ready();
    const seconds = (performance.now() - begin) / 1000;
    await onEvent({ type: 'ready', name: part.name, pid: process.pid, seconds });
  }

  async function keepRunning(): Promise<void> {
    let delayMs = 0;
    while (running !== undefined && !stopping.aborted) {
      const since = performance.now();
      const { pid, exited } = running;
      const exit = await exited;
      if (isStopped(stopping)) return;
      await onEvent({ type: 'ended', name: part.name, pid, exit });
      if (performance.now() - since > STABLE_AFTER_MS) delayMs = 0;
      delayMs = await startAgain(delayMs);
    }
  }

  /** Restarts immediately, then with exponential backoff. Returns the delay before the next restart. */
  async function startAgain(firstDelayMs: number): Promise<number> {
    for (let delayMs = firstDelayMs; ;) {
      await Promise.race([allowed, untilStopping]);
      await sleep(delayMs, undefined, { signal: stopping }).catch(() => undefined);
      if (stopping.aborted) return delayMs;
      delayMs = Math.min(Math.max(delayMs * 2, FIRST_DELAY_MS), LONGEST_DELAY_MS);
      try {
        await startOnce();
        return delayMs;
      } catch (error) {
        if (isStopped(stopping)) return delayMs;
        running?.kill('SIGKILL');
        await running?.exited;
        await onEvent({ type: 'failed', name: part.name, error: error as Error, retryInMs: delayMs });
      }
    }
  }
}

/** A function, because the compiler narrows `aborted` and does not expect it to change during an await. */
function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}
