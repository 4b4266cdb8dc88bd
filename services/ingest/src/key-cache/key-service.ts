import {
  CHANGES_PATH,
  changesAnswerSchema,
  LAST_USED_PATH,
  LOOK_UP_PATH,
  lookUpAnswersSchema,
  MAX_HASHES_PER_LOOK_UP,
  REFUSALS_PATH,
} from '@cellarman/contracts';
import type { ChangesAnswer, LastUsedRequest, LookUpAnswer, RefusalsRequest } from '@cellarman/contracts';
import { gatherQuestions } from '@cellarman/gather';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { TypeCheck } from '@sinclair/typebox/compiler';
import type { TSchema } from '@sinclair/typebox';

/** What ingest asks of key-service. Every call rejects when there is no proper answer in time. */
export interface KeyService {
  /**
   * Many at a time go out as one request, so that a flood of unknown keys costs key-service little.
   *
   * @param hash SHA-256 of the key, in hex
   * @param leave called when the request leaves, for the change number that its answer must include
   */
  lookUp(hash: string, leave: () => number): Promise<LookUpAnswer>;
  /** @param after the last change number that is known here; -1 asks for the current number only */
  changes(after: number): Promise<ChangesAnswer>;
  reportLastUsed(uses: LastUsedRequest['uses']): Promise<void>;
  /** Sent again with the same sequence it counts once. */
  reportRefusals(report: RefusalsRequest): Promise<void>;
}

export interface KeyServiceOptions {
  /** Base address. */
  url: string;
  token: string;
  /** How long an answer may take. */
  timeoutMs: number;
}

/** Requests with look-ups at a time. While one is answered, the next gathers. */
const MAX_REQUESTS = 2;
/** Guesses at keys come without end. Each request costs each side a millisecond of CPU or two, a key in it little. */
const REST_MS = 100;

const lookUpAnswers = TypeCompiler.Compile(lookUpAnswersSchema);
const changesAnswer = TypeCompiler.Compile(changesAnswerSchema);

export function createKeyService(options: KeyServiceOptions): KeyService {
  const { timeoutMs } = options;
  const base = options.url.replace(/\/+$/, '');
  const authorization = `Bearer ${options.token}`;

  async function ask(path: string, body?: object): Promise<Response> {
    const response = await fetch(base + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? { authorization } : { authorization, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    await response.body?.cancel();
    throw new Error(`key-service answered ${path} with ${response.status}`);
  }

  const lookUp = gatherQuestions<LookUpQuestion, LookUpAnswer | null>({
    maxBatch: MAX_HASHES_PER_LOOK_UP,
    maxUnderWay: MAX_REQUESTS,
    restMs: REST_MS,
    async ask(questions) {
      const hashes = questions.map(({ hash }) => hash);
      const atLeast = Math.max(...questions.map(({ leave }) => leave()));
      return (await checked(lookUpAnswers, await ask(LOOK_UP_PATH, { hashes, atLeast }))).answers;
    },
  });

  return {
    async lookUp(hash, leave) {
      const answer = await lookUp({ hash, leave });
      if (answer === null) throw new Error('key-service cannot say whether there is such a key');
      return answer;
    },
    async changes(after) {
      return checked(changesAnswer, await ask(`${CHANGES_PATH}?after=${after}`));
    },
    async reportLastUsed(uses) {
      const response = await ask(LAST_USED_PATH, { uses });
      await response.body?.cancel();
    },
    async reportRefusals(report) {
      const response = await ask(REFUSALS_PATH, report);
      await response.body?.cancel();
    },
  };
}

interface LookUpQuestion {
  hash: string;
  leave: () => number;
}

/** An answer of another shape, from a proxy or another version, must not decide who may send. */
async function checked<Schema extends TSchema>(check: TypeCheck<Schema>, response: Response) {
  const answer: unknown = await response.json();
  if (check.Check(answer)) return answer;
  const [first] = check.Errors(answer);
  throw new Error(`key-service gave an unexpected answer: ${first?.path ?? ''} ${first?.message ?? ''}`);
}
