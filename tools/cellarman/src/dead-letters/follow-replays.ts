import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { EXIT } from '../failure.ts';
import { dataOf } from '../http/response-data.ts';
import type { KeyService } from '../http/key-service.ts';
import { showProgress } from '../output/progress.ts';

const POLL_MS = 500;

/** Returns the number of dead letters by state. */
export async function countDeadLetters(keyService: KeyService) {
  const query = { state: 'open', limit: 1 } as const;
  return (await dataOf(keyService.GET('/api/v1/dead-letters', { params: { query } }))).counts;
}

/**
 * Waits until the sink has replayed everything, and prints how many are stored. An interruption ends the waiting, not the
 * replay. Replays that another user starts meanwhile count too.
 */
export async function followReplays(
  context: Context,
  keyService: KeyService,
  { selected, replayedBefore }: { selected: number; replayedBefore: number },
): Promise<void> {
  let waiting = selected;
  const progress = showProgress(
    () => `${selected - waiting} of ${selected} dead letters are replayed`,
    context.terminal,
  );
  let counts = await countDeadLetters(keyService);
  try {
    while (counts.replaying > 0) {
      waiting = Math.min(selected, counts.replaying);
      await delay(POLL_MS, undefined, { signal: context.interrupted });
      counts = await countDeadLetters(keyService);
    }
  } finally {
    progress.stop();
  }
  const stored = Math.min(selected, counts.replayed - replayedBefore);
  await context.print(`Stored ${stored} of ${selected}.`);
  if (stored === selected) return;
  context.exitCode = EXIT.rejected;
  context.tell(
    'cellarman: the others are still invalid and open again. List them with: cellarman dead-letters list',
  );
}
