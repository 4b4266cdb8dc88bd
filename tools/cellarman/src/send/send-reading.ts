import { INGEST_PATH } from '@cellarman/contracts';
import type { IngestSuccess } from '@cellarman/contracts';
import type { Context } from '../context.ts';
import { rejectionOf } from '../http/response-data.ts';
import { pause, waitBeforeRetry } from '../http/retry-wait.ts';
import { isPassing } from './ingest.ts';
import type { Ingest } from './ingest.ts';

/** Sends one reading as it was typed, until it is acknowledged. To send it again is always safe. */
export async function sendReading(
  ingest: Ingest,
  reading: string,
  { interrupted, giveUpAfterMs }: Pick<Context, 'interrupted'> & { giveUpAfterMs: number },
): Promise<IngestSuccess> {
  const giveUpAt = performance.now() + giveUpAfterMs;
  for (let attempt = 0; ; attempt += 1) {
    const answer = await ingest.post(INGEST_PATH, 'application/json', reading);
    if (answer.status === 200) return answer.body as IngestSuccess;
    const waitMs = waitBeforeRetry(answer.retryAfter, attempt);
    const mayRepeat = isPassing(answer) && performance.now() + waitMs <= giveUpAt;
    if (!mayRepeat || !(await pause(waitMs, interrupted))) throw rejectionOf(answer.status, answer.body);
  }
}
