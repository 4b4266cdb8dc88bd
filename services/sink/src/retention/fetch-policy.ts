import { RETENTION_PATH, retentionAnswerSchema } from '@cellarman/contracts';
import type { RetentionAnswer } from '@cellarman/contracts';
import { TypeCompiler } from '@sinclair/typebox/compiler';

export type FetchPolicy = (signal: AbortSignal) => Promise<RetentionAnswer>;

const answer = TypeCompiler.Compile(retentionAnswerSchema);
const TIMEOUT_MS = 5_000;

/** Asks key-service for how many days each cellar keeps its readings. */
export function createPolicyFetcher(options: { keyServiceUrl: string; internalToken: string }): FetchPolicy {
  const url = new URL(RETENTION_PATH, options.keyServiceUrl);

  return async (signal) => {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${options.internalToken}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`key-service answered ${response.status} to ${url.pathname}`);
    }
    const policy: unknown = await response.json();
    if (!answer.Check(policy)) {
      const first = answer.Errors(policy).First();
      throw new Error(`key-service sent no retention policy: ${first?.path ?? ''} ${first?.message ?? ''}`);
    }
    return policy;
  };
}
