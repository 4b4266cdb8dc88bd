import {
  BACKGROUND_HEADER,
  LAST_USED_PATH,
  LOOK_UP_PATH,
  lookUpAnswersSchema,
  MAX_HASHES_PER_LOOK_UP,
  SESSION_LOOK_UP_PATH,
  sessionLookUpAnswerSchema,
} from '@cellarman/contracts';
import type { KeyRecord, LastUsedRequest, LookUpAnswer, SessionRecord } from '@cellarman/contracts';
import { gatherQuestions } from '@cellarman/gather';
import { Refusal } from '@cellarman/http-api';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { TypeCheck } from '@sinclair/typebox/compiler';
import type { TSchema } from '@sinclair/typebox';

/**
 * What query asks of key-service, for every request anew: what was revoked or signed out a moment ago reads nothing any
 * more. Each call rejects with `unavailable` when there is no proper answer in time.
 */
export interface KeyService {
  /** @param hash SHA-256 of the key, in hex. @returns null: there is no such key */
  findKey(hash: string): Promise<KeyRecord | null>;
  /**
   * @param id the value of the cookie
   * @param options `isBackground`: no person has asked, so it is no use of the session
   * @returns null: it has ended, or never was
   */
  findSession(id: string, options?: { isBackground: boolean }): Promise<SessionRecord | null>;
  reportLastUsed(uses: LastUsedRequest['uses']): Promise<void>;
}

const TIMEOUT_MS = 3_000;
/** Requests with look-ups at a time. While one is answered, the next gathers. */
const MAX_REQUESTS = 2;
const MAX_WAITING = 1_000;

const lookUpAnswers = TypeCompiler.Compile(lookUpAnswersSchema);
const sessionAnswer = TypeCompiler.Compile(sessionLookUpAnswerSchema);

export function createKeyService(options: { url: string; token: string }): KeyService {
  const base = options.url.replace(/\/+$/, '');
  const headers = { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' };
  let waiting = 0;

  async function ask(path: string, body: object, more: Record<string, string> = {}): Promise<Response> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { ...headers, ...more },
      signal,
      body: JSON.stringify(body),
    });
    if (response.ok) return response;
    await response.body?.cancel();
    throw new Error(`key-service answered ${path} with ${response.status}`);
  }

  const lookUp = gatherQuestions<string, LookUpAnswer | null>({
    maxBatch: MAX_HASHES_PER_LOOK_UP,
    maxUnderWay: MAX_REQUESTS,
    async ask(hashes) {
      return (await checked(lookUpAnswers, await ask(LOOK_UP_PATH, { hashes }))).answers;
    },
  });

  /** Bounds what waits for a key-service that is slow. */
  async function orUnavailable<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (waiting >= MAX_WAITING) throw new Refusal('unavailable', 'Too many requests at once. Try again.');
    waiting += 1;
    try {
      return await work();
    } catch (cause) {
      throw new Refusal('unavailable', 'Nobody can say now who asks. Try again.', { cause });
    } finally {
      waiting -= 1;
    }
  }

  return {
    findKey: (hash) =>
      orUnavailable(async () => {
        const answer = await lookUp(hash);
        if (answer === null) throw new Error('key-service cannot say whether there is such a key');
        // A key-service that mixes answers up must not let one reader read as another.
        if (answer.key !== null && answer.key.hash !== hash) {
          throw new Error('key-service returned the record of another key');
        }
        return answer.key;
      }),
    findSession: (id, { isBackground } = { isBackground: false }) =>
      orUnavailable(async () => {
        const more = isBackground ? { [BACKGROUND_HEADER]: '1' } : {};
        return (await checked(sessionAnswer, await ask(SESSION_LOOK_UP_PATH, { id }, more))).session;
      }),
    async reportLastUsed(uses) {
      const response = await ask(LAST_USED_PATH, { uses });
      await response.body?.cancel();
    },
  };
}

/** An answer of another shape, from a proxy or another version, must not decide who may read. */
async function checked<Schema extends TSchema>(check: TypeCheck<Schema>, response: Response) {
  const answer: unknown = await response.json();
  if (check.Check(answer)) return answer;
  const [first] = check.Errors(answer);
  throw new Error(`key-service gave an unexpected answer: ${first?.path ?? ''} ${first?.message ?? ''}`);
}
