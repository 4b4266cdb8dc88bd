import { ClickHouseError } from '@clickhouse/client';
import { ApiError } from '@cellarman/http-api';
import { tlsHint } from '@cellarman/tls';

/** Codes of ClickHouse for a query that wants more than it may have: time, rows to read, memory. */
const TOO_EXPENSIVE = new Set(['158', '159', '160', '241', '307']);
/**
 * Too many queries or connections, the user's quota, a socket or a shard that cannot be reached, a server that is
 * stopping, Keeper away: the same query succeeds later.
 */
const BUSY = new Set([
  ...[
    '198',
    '201',
    '202',
    '203',
    '209',
    '210',
    '225',
    '236',
    '242',
    '279',
    '425',
    '439',
    '519',
    '745',
    '999',
  ],
]);
/**
 * The user of query may not do what query does: a setting that its profile forbids or bounds (164, 452), a missing grant
 * (497), a wrong password (516). `/readyz` reports it; nothing in the request can change it.
 */
const MISCONFIGURED = new Set(['164', '452', '497', '516']);
const CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);

/** Maps a failed query to the error for the client. A bug of query itself is passed on unchanged, and is logged as an error. */
export function toRejection(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new ApiError('request_timeout', 'The client disconnected.', { cause: error });
  if (error instanceof ClickHouseError) {
    if (TOO_EXPENSIVE.has(error.code)) {
      return tooExpensive(error);
    }
    return BUSY.has(error.code) || MISCONFIGURED.has(error.code) ? unavailable(error) : error;
  }
  return isConnectionLost(error) ? unavailable(error) : error;
}

export function tooExpensive(cause: unknown): ApiError {
  return new ApiError(
    'query_too_expensive',
    'This query is too expensive. Request a shorter range, a larger step or fewer racks.',
    { cause },
  );
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('unavailable', 'Readings are temporarily unavailable. Try again.', { cause });
}

/** The connection was closed before a response came. A kept one may be closed at the moment at which it is used again. */
export function isReset(error: unknown): boolean {
  return (
    error instanceof Error && ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')
  );
}

function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  // The ClickHouse client has a message instead of a code for its own timeout and for a truncated response.
  return (
    (code !== undefined && CONNECTION.has(code)) ||
    tlsHint(error) !== undefined ||
    /^Timeout error|socket hang up|aborted/.test(error.message)
  );
}
