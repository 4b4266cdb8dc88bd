import { createParser } from 'eventsource-parser';
import { ApiError } from '../api/api-error.ts';
import { markBackground } from '../api/mark-background.ts';
import { responseData } from '../api/response-data.ts';
import type { Arrivals } from './tail.ts';

/** Where a stream continues. */
export interface LivePosition {
  lastId?: string | undefined;
}

export interface LiveStreamOptions {
  url: string;
  /** Is kept up to date. */
  position: LivePosition;
  onOpen: () => void;
  onArrivals: (arrivals: Arrivals) => void;
  /** The stream was closed, or could not be opened. It is opened again unless the error is final. */
  onLost: (error: ApiError) => void;
}

/** The service sends something every 15 seconds. */
const DEAD_AFTER_MS = 45_000;
const BACKOFF = { firstMs: 1_000, mostMs: 30_000 };

/** Reads a live stream, and continues behind its last event when it is closed. Unlike EventSource, it reports why. */
export function openLiveStream(options: LiveStreamOptions): () => void {
  const { url, position, onOpen, onArrivals, onLost } = options;
  const closed = new AbortController();
  let failures = 0;
  let retryMs = BACKOFF.firstMs;

  const parser = createParser({
    onEvent({ id, data }) {
      if (id !== undefined) position.lastId = id;
      onArrivals(JSON.parse(data) as Arrivals);
    },
    onRetry: (ms) => (retryMs = ms),
  });

  const isClosed = (): boolean => closed.signal.aborted;

  async function run(): Promise<void> {
    while (!isClosed()) {
      const error = await readOnce().catch(toApiError);
      if (isClosed()) return;
      onLost(error);
      if (isFinal(error)) return;
      await pause(Math.min(retryMs * 2 ** Math.min(failures, 5), BACKOFF.mostMs));
    }
  }

  /** Returns when the service has ended the stream. */
  async function readOnce(): Promise<ApiError> {
    failures += 1;
    const headers = new Headers();
    if (position.lastId !== undefined) headers.set('last-event-id', position.lastId);
    markBackground(headers);
    const attempt = new AbortController();
    const signal = AbortSignal.any([closed.signal, attempt.signal]);
    let watch = setTimeout(() => attempt.abort(), DEAD_AFTER_MS);
    try {
      const response = await fetch(url, { headers, signal });
      if (!response.ok) throw await readError(response);
      onOpen();
      parser.reset();
      const decoder = new TextDecoder();
      const reader = response.body?.getReader();
      for (;;) {
        const part = await reader?.read();
        if (part?.value === undefined) return new ApiError(ENDED);
        failures = 0;
        clearTimeout(watch);
        watch = setTimeout(() => attempt.abort(), DEAD_AFTER_MS);
        parser.feed(decoder.decode(part.value, { stream: true }));
      }
    } finally {
      clearTimeout(watch);
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms * (0.75 + Math.random() / 2));
      closed.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  void run();
  return () => closed.abort();
}

const ENDED = { status: 0, code: 'ended', message: 'The stream has ended' };

/** A proxy in between may respond with anything. */
async function readError(response: Response): Promise<unknown> {
  const error: unknown = await response.json().catch(() => undefined);
  return responseData(Promise.resolve({ response, error })).catch((apiError: unknown) => apiError);
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ status: 0, code: 'unreachable', message: "Can't reach Cellarman" }, { cause: error });
}

/** Repeating the request cannot help: no session, no access, an invalid filter. */
function isFinal({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
