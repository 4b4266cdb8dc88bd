import { reasonOf } from '../http/retrying-fetch.ts';
import type { Context } from '../context.ts';

/** What came back, or why nothing did. */
export interface IngestResult {
  /** 0: there was no response. */
  status: number;
  body: unknown;
  retryAfter: string | null;
}

export interface Ingest {
  /** Never rejects. What is under way when the command is interrupted is waited for. */
  post(path: string, contentType: string, body: string | Uint8Array<ArrayBuffer>): Promise<IngestResult>;
}

/** Ingest responds within 5 s. */
const ANSWER_MS = 15_000;

export function connectIngest({ settings }: Context): Ingest {
  const url = settings.ingestUrl();
  const apiKey = settings.apiKey();
  return {
    async post(path, contentType, body) {
      try {
        const response = await fetch(url + path, {
          method: 'POST',
          headers: { 'content-type': contentType, 'x-api-key': apiKey },
          body,
          // A redirect could carry the key to another server.
          redirect: 'error',
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        const retryAfter = response.headers.get('retry-after');
        return { status: response.status, body: parsed(await response.text()), retryAfter };
      } catch (error) {
        const reason = `${url} is not reachable (${reasonOf(error)})`;
        return { status: 0, body: { error: reason, code: 'no response' }, retryAfter: null };
      }
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the same request can succeed later, without a change by the user. */
export function isPassing({ status }: IngestResult): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}
