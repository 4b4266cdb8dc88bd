import { BATCH_PATH, NDJSON_TYPES } from '@cellarman/contracts';
import type { BatchPartial } from '@cellarman/contracts';
import { rejectionOf } from '../http/response-data.ts';
import { pause, waitBeforeRetry } from '../http/retry-wait.ts';
import { isPassing } from './ingest.ts';
import type { Ingest, IngestResult } from './ingest.ts';
import type { FileReading } from './file-reading.ts';

export interface SendBatchOptions {
  ingest: Ingest;
  /** How long one batch is tried. */
  giveUpAfterMs: number;
  stop: AbortSignal;
}

/** A reading that is not acknowledged, in the words of ingest. */
export interface Unsent {
  line: number;
  code: string;
  error: string;
  /** Sending it again can succeed. */
  retryable: boolean;
}

/**
 * Sends readings until they are acknowledged or rejected for good. To send what may have been stored again is safe.
 *
 * @returns those that are not acknowledged
 * @throws {Failure} when ingest rejects the whole batch in a way that every other one would meet too
 */
export async function sendBatch(
  readings: readonly FileReading[],
  options: SendBatchOptions,
): Promise<Unsent[]> {
  const { ingest, giveUpAfterMs, stop } = options;
  const giveUpAt = performance.now() + giveUpAfterMs;
  const rejected: Unsent[] = [];
  let open = readings;
  for (let attempt = 0; ; attempt += 1) {
    const answer = await ingest.post(BATCH_PATH, NDJSON_TYPES[0], bodyOf(open));
    if (answer.status === 200) return rejected;
    // Another server may have a lower limit for a batch.
    if (answer.status === 413 && open.length > 1) return [...rejected, ...(await inHalves(open, options))];
    const unsent = unsentOf(open, answer);
    rejected.push(...unsent.filter(({ retryable }) => !retryable));
    const again = unsent.filter(({ retryable }) => retryable);
    if (again.length === 0) return rejected;
    const waitMs = waitBeforeRetry(answer.retryAfter, attempt);
    if (performance.now() + waitMs > giveUpAt || !(await pause(waitMs, stop))) return [...rejected, ...again];
    const lines = new Set(again.map(({ line }) => line));
    open = open.filter(({ line }) => lines.has(line));
  }
}

function bodyOf(readings: readonly FileReading[]): Uint8Array<ArrayBuffer> {
  const newLine = Buffer.from('\n');
  return Buffer.concat(readings.flatMap(({ json }) => [json, newLine]));
}

async function inHalves(readings: readonly FileReading[], options: SendBatchOptions): Promise<Unsent[]> {
  const middle = readings.length >> 1;
  const first = await sendBatch(readings.slice(0, middle), options);
  return [...first, ...(await sendBatch(readings.slice(middle), options))];
}

function unsentOf(readings: readonly FileReading[], answer: IngestResult): Unsent[] {
  const { errors } = (answer.body ?? {}) as Partial<BatchPartial>;
  if (errors !== undefined) {
    return errors.map(({ index, code, error, retryable }) => {
      const line = readings[index]?.line ?? 0;
      return { line, code, error, retryable };
    });
  }
  const { code = '', message: error } = rejectionOf(answer.status, answer.body);
  const retryable = isPassing(answer);
  // An error of the API key or the URL concerns the whole run, not these readings.
  if (!retryable && answer.status !== 413) throw rejectionOf(answer.status, answer.body);
  return readings.map(({ line }) => ({ line, code, error, retryable }));
}
