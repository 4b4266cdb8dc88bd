import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDriver } from '@cellarman/client-conformance';
import type { Driver } from '@cellarman/client-conformance';
import type { NumberedReading } from '../ledger.ts';
import { acknowledge, within } from './course.ts';
import type { Course } from './course.ts';

export interface ClientProcess {
  rack: number;
  /** Starts the driver of its conformance tests. */
  command: readonly string[];
  options: Record<string, unknown> & { spool: string; maxBytes: number };
}

const MOST_READINGS = 3;
/** What an error of `put` may be. The same list is put again then: it was not stored. */
const RETRYABLE = ['spool_full', 'spool_failed'];
const CLOSE_MS = 240_000;

/**
 * One client process after another on one spool. All but the last are killed, half of them during a put, the others at any time.
 *
 * Resolves when the spool of the last one is empty.
 */
export async function runClient(course: Course, client: ClientProcess): Promise<void> {
  const waiting: NumberedReading[] = [];
  for (let kill = 0; kill <= course.kills; kill++) {
    const driver = await open(course, client);
    try {
      const isKilled = await putUntilKilled(course, { ...client, driver, kill, waiting });
      if (isKilled) {
        course.killsLeft -= 1;
        course.afterKill?.(client.options.spool);
      } else {
        await close(driver);
        return;
      }
    } finally {
      await driver.kill();
    }
  }
}

interface Life extends ClientProcess {
  driver: Driver;
  /** Kills before this one. */
  kill: number;
  /** Of a put that has failed: they are put again. */
  waiting: NumberedReading[];
}

/** Resolves with false when the round ends. */
async function putUntilKilled(course: Course, { driver, rack, kill, waiting }: Life): Promise<boolean> {
  const { kills, lifeMs, pauseMs, stop, ledger } = course;
  const end = kill < kills ? performance.now() + randomInt(...lifeMs) : Infinity;
  let killed: Promise<void> | undefined;
  while (killed === undefined && !stop.signal.aborted) {
    await course.pause(randomInt(...pauseMs));
    const count = waiting.length > 0 ? 0 : randomInt(1, MOST_READINGS + 1);
    waiting.push(...Array.from({ length: count }, () => ledger.next(rack)));
    const begun = performance.now();
    const reply = driver.send({ put: waiting.map(({ reading }) => reading) }).catch(() => undefined);
    if (begun > end) killed = sleep(randomInt(kill % 2 === 0 ? 30 : 1_000)).then(driver.kill);
    const found = await within('a put', reply);
    if (found === undefined && killed === undefined) throw new Error('A client ended by itself');
    if (found !== undefined && found.error === undefined) acknowledge(course, waiting, begun);
    else countError(course, found?.error ?? 'killed', begun);
    // Those of a put without a reply may be stored or not. They never come again: the client has set their timestamps.
    if (found?.error === undefined) waiting.length = 0;
  }
  await killed;
  return killed !== undefined;
}

async function open(course: Course, { command, options }: ClientProcess): Promise<Driver> {
  for (;;) {
    const driver = startDriver(command);
    try {
      const begun = performance.now();
      const { error } = await course.start(() => within('opening a spool', driver.send({ open: options })));
      if (error === undefined) {
        await check(driver, options.maxBytes);
        return driver;
      }
      countError(course, error, begun);
      await driver.kill();
    } catch (error) {
      await driver.kill();
      throw error;
    }
    await course.pause(1_000);
  }
}

async function check(driver: Driver, maxBytes: number): Promise<void> {
  const { ok } = await within('a status', driver.send({ status: true }));
  const { bytes, brokenFiles } = ok as { bytes: number; brokenFiles: number };
  if (bytes > maxBytes) throw new Error(`A spool has ${bytes} bytes, more than ${maxBytes}`);
  if (brokenFiles > 0) throw new Error('A spool was broken');
}

function countError(course: Course, error: string, begun: number): void {
  if (error !== 'killed' && !RETRYABLE.includes(error)) throw new Error(`A client failed: ${error}`);
  if (error === 'spool_failed' && !course.isDiskFull) throw new Error('A spool failed without a reason');
  course.tally.count(error, performance.now() - begun);
}

async function close(driver: Driver): Promise<void> {
  const { ok, error } = await within('closing', driver.send({ close: CLOSE_MS }), 2 * CLOSE_MS);
  const waiting = (ok as { waiting: number } | undefined)?.waiting;
  if (waiting !== 0) throw new Error(`A client was closed with ${waiting} waiting: ${error}`);
}
