import { until } from '@cellarman/local-stack';
import type { RunningRound } from '../round.ts';
import { failedRequests } from '../tally.ts';

const failures = ({ load }: RunningRound): number => failedRequests(load.figures().answers);

/** Does something and asserts that clients noticed: at least this number of requests was rejected or failed meanwhile. */
export async function requestsFail(run: RunningRound, during: () => Promise<void>, least = 1): Promise<void> {
  const before = failures(run);
  await during();
  const failed = failures(run) - before;
  if (failed < least) throw new Error(`Only ${failed} requests failed: the fault did not happen`);
}

/** Waits until this number of further requests has been rejected or has failed. */
export async function untilRequestsFail(run: RunningRound, least: number): Promise<void> {
  const goal = failures(run) + least;
  await until(`${least} requests fail`, () => failures(run) >= goal);
}

/** Longer than a response takes without a failure, shorter than any process takes to restart. */
const WAITED_MS = 500;

/**
 * Does something and asserts that clients noticed: of the requests that ended meanwhile, one was rejected, failed, or waited. A
 * broker that is back before the deadline of a request makes it wait and no more.
 */
export async function requestsSuffer(run: RunningRound, during: () => Promise<void>): Promise<void> {
  const failed = failures(run);
  const slowest = run.load.slowestFromNow();
  await during();
  if (failures(run) > failed || slowest() >= WAITED_MS) return;
  throw new Error(`No request failed, and none waited longer than ${slowest()} ms: the fault did not happen`);
}
