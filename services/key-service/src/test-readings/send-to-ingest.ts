import { ERROR_CATALOGUE, INGEST_PATH, ingestSuccessSchema } from '@cellarman/contracts';
import type { IngestSuccess } from '@cellarman/contracts';
import { ApiError } from '@cellarman/http-api';
import type { Reading } from '@cellarman/reading';
import { Value } from '@sinclair/typebox/value';

/** Longer than ingest waits for Kafka. */
const TIMEOUT_MS = 8_000;
/** One takes milliseconds, or the timeout while Kafka is away. */
const MAX_PENDING = 20;

export interface IngestResponse {
  status: number;
  /** Undefined unless the status is 200. */
  success?: IngestSuccess;
  code: string | null;
  error: string | null;
  retryAfterSeconds: number | null;
}

/** Sends a reading with an API key. Rejects with `unavailable` when ingest has not responded. */
export type SendToIngest = (reading: Reading, apiKey: string) => Promise<IngestResponse>;

export function createSendToIngest(ingestUrl: string | undefined): SendToIngest {
  let pending = 0;
  return async (reading, apiKey) => {
    if (ingestUrl === undefined)
      throw new ApiError('unavailable', 'This installation cannot send test readings: INGEST_URL is not set');
    if (pending >= MAX_PENDING)
      throw new ApiError('unavailable', 'Too many test readings are being sent. Try again.');
    pending++;
    try {
      return await post(`${ingestUrl.replace(/\/+$/, '')}${INGEST_PATH}`, reading, apiKey);
    } catch (cause) {
      throw new ApiError('unavailable', 'ingest has not responded. The reading may be stored all the same.', {
        cause,
      });
    } finally {
      pending--;
    }
  };
}

async function post(url: string, reading: Reading, apiKey: string): Promise<IngestResponse> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, prefer: 'return=representation' },
    body: JSON.stringify(reading),
  });
  const { status } = response;
  const body: unknown = await response.json();
  if (status === 200) {
    // A field that a later version adds must not make this look like a failure.
    const success = Value.Clean(ingestSuccessSchema, body);
    if (!Value.Check(ingestSuccessSchema, success)) throw new Error('ingest returned an unexpected response');
    return { status, success, code: null, error: null, retryAfterSeconds: null };
  }
  const { code, error } = body as Record<string, unknown>;
  return {
    status,
    code: typeof code === 'string' && code in ERROR_CATALOGUE ? code : null,
    error: typeof error === 'string' ? error : null,
    retryAfterSeconds: Number(response.headers.get('retry-after')) || null,
  };
}
