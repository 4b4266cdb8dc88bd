import { setTimeout as delay } from 'node:timers/promises';
import { trySend } from './try-send.ts';

export interface RevocationOptions {
  /** Every replica of ingest. */
  urls: readonly string[];
  cellar: string;
  apiKey: string;
  /** Resolves when key-service has confirmed the revocation. */
  revoke: () => Promise<void>;
  /** Pause between two requests to one replica. @default 20 */
  pauseMs?: number;
  /** @default 30_000 */
  deadlineMs?: number;
}

/**
 * Revokes a key that every replica knows, and sends readings with it to each of them until it is rejected with 401. A 503
 * rejects it too, but says nothing yet.
 *
 * @returns for each replica how long after the confirmation it took the key at the latest: until the first request began
 *   that was rejected and not followed by one that was accepted, in milliseconds
 * @throws when the key does not work before, or is not rejected in time
 */
export async function revokeAndWatch(options: RevocationOptions): Promise<number[]> {
  const { urls, cellar, apiKey, revoke, pauseMs = 20, deadlineMs = 30_000 } = options;
  await Promise.all(urls.map((url) => untilAnswered(url, 200)));
  await revoke();
  const confirmed = performance.now();
  return Promise.all(urls.map(async (url) => (await untilAnswered(url, 401)) - confirmed));

  /** @returns when the first of the requests began that were not accepted */
  async function untilAnswered(url: string, status: number): Promise<number> {
    const deadline = performance.now() + deadlineMs;
    let rejectedSince: number | undefined;
    for (;;) {
      const began = performance.now();
      const answer = await trySend({ url, apiKey, cellar });
      rejectedSince = answer === 200 ? undefined : (rejectedSince ?? began);
      if (answer === status) return rejectedSince ?? began;
      if (status === 200 && answer === 401) throw new Error(`${url} calls a good key bad`);
      if (began > deadline) throw new Error(`${url} still returns ${answer} instead of ${status}`);
      await delay(pauseMs);
    }
  }
}
