import { setTimeout as delay } from 'node:timers/promises';
import type { Administrator } from './administrator.ts';
import { trySend } from './try-send.ts';

export interface NewKey {
  /** Requests until it was accepted. A 503 is tried again at once after a pause. */
  attempts: number;
  /** From the answer of key-service to the first reading that was accepted. */
  acceptedAfterMs: number;
  /** From the answer to the revocation to the first 401; no attempt after it was accepted. */
  refusedAfterMs: number;
}

const PAUSE_MS = 20;
const BETWEEN_MS = 1_000;
const DEADLINE_MS = 30_000;

/**
 * Makes a key, uses it until it is accepted, revokes it, and uses it until it is refused; over and over.
 *
 * @throws when a new key is called bad, or neither comes within 30 s
 */
export async function useNewKeys(options: {
  administrator: Administrator;
  ingestUrl: string;
  cellar: string;
  until: Promise<unknown>;
}): Promise<NewKey[]> {
  const { administrator, ingestUrl, cellar, until } = options;
  const seen: NewKey[] = [];
  let ended = false;
  const end = until.finally(() => (ended = true));

  async function attemptsUntil(status: number, apiKey: string): Promise<{ attempts: number; ms: number }> {
    const began = performance.now();
    for (let attempts = 1; ; attempts++) {
      const answer = await trySend({ url: ingestUrl, apiKey, cellar });
      const ms = performance.now() - began;
      if (answer === status) return { attempts, ms };
      if (status === 200 && answer === 401) throw new Error('a new key was called bad');
      if (ms > DEADLINE_MS) throw new Error(`a key still gets ${answer} instead of ${status}`);
      await delay(PAUSE_MS);
    }
  }

  do {
    const { id, secret } = await administrator.createKey(cellar);
    const accepted = await attemptsUntil(200, secret);
    await administrator.revoke(cellar, id);
    const refused = await attemptsUntil(401, secret);
    seen.push({
      attempts: accepted.attempts,
      acceptedAfterMs: accepted.ms,
      refusedAfterMs: refused.ms,
    });
    await Promise.race([delay(BETWEEN_MS), end]);
  } while (!ended);
  return seen;
}
