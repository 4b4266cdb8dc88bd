import { until } from '../poll.ts';
import type { RunningRound } from '../round.ts';

/** Requests so far that were refused or broke. */
function failures({ load }: RunningRound): number {
  const { answers } = load.figures();
  return Object.entries(answers).reduce((sum, [answer, count]) => sum + (answer === '200' ? 0 : count), 0);
}

/** Does something and asserts that clients noticed: so many requests were refused or broke meanwhile. */
export async function requestsFail(run: RunningRound, during: () => Promise<void>, least = 1): Promise<void> {
  const before = failures(run);
  await during();
  const failed = failures(run) - before;
  if (failed < least) throw new Error(`Only ${failed} requests failed: the fault did not happen`);
}

/** Waits until so many more requests have been refused or broken. */
export async function untilRequestsFail(run: RunningRound, least: number): Promise<void> {
  const goal = failures(run) + least;
  await until(`${least} requests fail`, () => failures(run) >= goal);
}

/** Does something and asserts that clients noticed: a request was refused, broke, or took longer than any did before. */
export async function requestsWait(run: RunningRound, during: () => Promise<void>): Promise<void> {
  const [failed, slowest] = [failures(run), run.load.figures().slowestAnswerMs];
  await during();
  if (failures(run) === failed && run.load.figures().slowestAnswerMs === slowest) {
    throw new Error('No request failed or waited: the fault did not happen');
  }
}
