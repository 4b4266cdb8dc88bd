import { setTimeout as sleep } from 'node:timers/promises';
import { createLimiter } from '@cellarman/concurrency';
import type { Ledger, NumberedReading } from '../ledger.ts';
import { createTally } from '../tally.ts';
import type { Tally } from '../tally.ts';

export interface Pace {
  /** How often each process is killed. */
  kills: number;
  /** How long a process lives before it is killed, at least and at most. */
  lifeMs: readonly [number, number];
  /** Between two puts, or messages, of a sender. */
  pauseMs: readonly [number, number];
  /** Called while nobody has the spool of the killed process open. */
  afterKill?: (spool: string) => void;
}

/** What the senders of a round share. */
export interface Course extends Pace {
  ledger: Ledger;
  tally: Tally;
  stop: AbortController;
  /** That are killed. */
  processes: number;
  /** Kills that are left, of all processes. */
  killsLeft: number;
  /** Then a spool may fail to open and to store. Nothing else excuses `spool_failed`. */
  isDiskFull: boolean;
  /** A few processes start at a time. */
  start: <T>(work: () => Promise<T>) => Promise<T>;
  /** Ends when the round does. */
  pause(ms: number): Promise<void>;
}

const STARTS_AT_A_TIME = 6;
/** Longer than anything may take, on a machine that may be suspended. */
const PATIENCE_MS = 600_000;

export function createCourse(ledger: Ledger, pace: Pace, processes: number): Course {
  const stop = new AbortController();
  const limiter = createLimiter({ running: STARTS_AT_A_TIME });
  return {
    ...pace,
    ...{ ledger, stop, tally: createTally(), isDiskFull: false },
    ...{ processes, killsLeft: processes * pace.kills },
    start: (work) => limiter.run({ owner: 'senders' }, work),
    pause: (ms) => sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined),
  };
}

export function acknowledge(
  { ledger, tally }: Course,
  readings: readonly NumberedReading[],
  begun: number,
): void {
  for (const { number } of readings) ledger.record(number, 'acknowledged');
  tally.count('200', performance.now() - begun);
  tally.acknowledged();
}

/** @throws if it takes longer than anything may take */
export async function within<T>(what: string, work: Promise<T>, ms = PATIENCE_MS): Promise<T> {
  const cancel = new AbortController();
  const late = sleep(ms, undefined, { signal: cancel.signal }).then(() => {
    throw new Error(`${what} has not ended after ${ms} ms`);
  });
  late.catch(() => undefined);
  return Promise.race([work, late]).finally(() => cancel.abort());
}
