import { ClickHouseError } from '@clickhouse/client';
import { Refusal } from '@cellarman/http-api';
import { tlsHint } from '@cellarman/tls';

/** Codes of ClickHouse for a query that wants more than it may have: time, rows to read, memory. */
const TOO_EXPENSIVE = new Set(['158', '159', '160', '241', '307']);
/** Too many queries or connections, a socket that broke, no thread: another time it works. */
const BUSY = new Set(['202', '203', '209', '210', '425', '439', '745']);
const CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);

/** What a failed query means for whoever asked. A fault of ours stays what it is, and is logged as one. */
export function toRefusal(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new Refusal('request_timeout', 'The client has left.', { cause: error });
  if (error instanceof ClickHouseError) {
    if (TOO_EXPENSIVE.has(error.code)) {
      return new Refusal(
        'query_too_expensive',
        'The query takes too much. Ask for a shorter range, a larger step or fewer racks.',
        { cause: error },
      );
    }
    return BUSY.has(error.code) ? unavailable(error) : error;
  }
  return isConnectionLost(error) ? unavailable(error) : error;
}

function unavailable(cause: unknown): Refusal {
  return new Refusal('unavailable', 'The readings cannot be queried at the moment. Try again.', { cause });
}

function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  // The client of ClickHouse has words instead of a code for its own time-out and for an answer that breaks off.
  return (
    (code !== undefined && CONNECTION.has(code)) ||
    tlsHint(error) !== undefined ||
    /^Timeout error|socket hang up|aborted/.test(error.message)
  );
}
