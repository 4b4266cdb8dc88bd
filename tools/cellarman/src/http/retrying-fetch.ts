import { EXIT, Failure } from '../failure.ts';
import { pause, waitBeforeRetry } from './retry-wait.ts';

export interface RetryingFetchOptions {
  /** How long one request is tried. */
  giveUpAfterMs: number;
  /** Ends the waiting; a change that is under way is waited for, so that its outcome is known. */
  stop: AbortSignal;
}

/** Time limit of one attempt. The services always respond sooner. */
const ANSWER_MS = 30_000;

/** Retries after 429, 503 and lost connections, if the request is idempotent. */
export function createRetryingFetch({ giveUpAfterMs, stop }: RetryingFetchOptions) {
  return async function retryingFetch(request: Request): Promise<Response> {
    const giveUpAt = performance.now() + giveUpAfterMs;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await tryOnce(request.clone(), stop);
      if (outcome instanceof Response && !isPassing(outcome.status)) return outcome;
      const retryAfter = outcome instanceof Response ? outcome.headers.get('retry-after') : null;
      const waitMs = waitBeforeRetry(retryAfter, attempt);
      const isLast = !mayRepeat(request, outcome) || performance.now() + waitMs > giveUpAt;
      if (isLast || !(await pause(waitMs, stop))) {
        if (outcome instanceof Response) return outcome;
        throw outcome;
      }
      if (outcome instanceof Response) await outcome.body?.cancel();
    }
  };
}

async function tryOnce(request: Request, stop: AbortSignal): Promise<Response | Failure> {
  const timeout = AbortSignal.timeout(ANSWER_MS);
  const signal = request.method === 'GET' ? AbortSignal.any([timeout, stop]) : timeout;
  try {
    // A redirect could carry the secret to another server.
    return await fetch(request, { signal, redirect: 'error' });
  } catch (cause) {
    const { origin } = new URL(request.url);
    if (stop.aborted) return new Failure(EXIT.interrupted, 'interrupted');
    const message = `${origin} is not reachable (${reasonOf(cause)}). Is it running?`;
    return new Failure(EXIT.unreachable, message, { cause });
  }
}

function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** A request rejected with 429 was not carried out. After every other failure it may have been. */
function mayRepeat(request: Request, outcome: Response | Failure): boolean {
  const isRepeatable =
    request.method === 'GET' || request.headers.has('idempotency-key') || request.url.endsWith('/revoke');
  return isRepeatable || (outcome instanceof Response && outcome.status === 429);
}

export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error) {
    return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message || cause.name;
  }
  return String(cause);
}
