import { Pool } from 'undici';

/** What came back for one request. */
export interface Answer {
  /** 0 when there was none. */
  status: number;
  /** The code of ingest's catalogue, the status where it gives none, or the code of the connection's error. */
  code: string;
  retryAfterMs: number;
  /** Readings of a batch that were not stored; undefined where the response is about the whole request. */
  errors?: { index: number; code: string; retryable: boolean }[] | undefined;
}

export interface Poster {
  /** Never rejects. */
  post(body: string): Promise<Answer>;
  close(): Promise<void>;
}

/** Ingest responds within 5 s, whatever happens behind it. */
const ANSWER_MS = 15_000;

/**
 * Posts to one route of one server over keep-alive connections, one request at a time on each.
 *
 * Undici's `dispatch` and not `request`, because both programs share the cores of one machine.
 */
export function createPoster(url: string, route: string, apiKey: string, connections: number): Poster {
  const pool = new Pool(new URL(url).origin, {
    connections,
    pipelining: 1,
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
    connect: { timeout: ANSWER_MS },
  });
  const path = new URL(url).pathname.replace(/\/+$/, '') + route;
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  return {
    post: (body) =>
      new Promise((resolve) => {
        let status = 0;
        let retryAfterMs = 0;
        let text = '';
        const dispatched = { path, method: 'POST', headers, body } as const;
        pool.dispatch(dispatched, {
          onRequestStart() {},
          onResponseStart(_controller, statusCode, responseHeaders) {
            status = statusCode;
            retryAfterMs = Number(responseHeaders['retry-after'] ?? 0) * 1000 || 0;
          },
          onResponseData(_controller, chunk) {
            if (status !== 200) text += chunk.toString();
          },
          onResponseEnd() {
            resolve({ status, retryAfterMs, ...parseResponse(text, status) });
          },
          onResponseError(_controller, error) {
            resolve({ status: 0, code: errorCode(error), retryAfterMs: 0 });
          },
        });
      }),
    close: () => pool.destroy(),
  };
}

function parseResponse(text: string, status: number): Pick<Answer, 'code' | 'errors'> {
  if (status === 200) return { code: 'success' };
  try {
    const { code, errors } = JSON.parse(text) as Partial<Pick<Answer, 'code' | 'errors'>>;
    // Ingest responds with 503 where some of them can be sent again.
    if (Array.isArray(errors)) return { code: status === 503 ? 'unavailable' : 'partial', errors };
    if (typeof code === 'string') return { code };
  } catch {
    // Not ours; its status says enough.
  }
  return { code: String(status) };
}

function errorCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
