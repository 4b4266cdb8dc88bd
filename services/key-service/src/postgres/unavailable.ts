import { DatabaseError } from 'pg';
import { ApiError } from '@cellarman/http-api';

/**
 * SQLSTATE classes and codes that say "not now" rather than "never": connection lost, out of resources, shutting
 * down or still in recovery, read-only after a fail-over, deadlock, statement or idle transaction timed out.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const NOT_NOW = /^(08|28|40|53|57|58|25006|25P03|55000|55P03)/;

/** Values that no column can hold, such as U+0000 in a text or a forged cursor. */
const BAD_VALUE = /^22/;

/** Maps an error of the driver to the rejection for the caller; a bug of ours is passed on unchanged. */
export function explain(error: unknown): unknown {
  if (error instanceof DatabaseError && BAD_VALUE.test(error.code ?? '')) {
    return new ApiError('invalid_request', 'A value in the request cannot be stored or compared', {
      cause: error,
    });
  }
  if (error instanceof DatabaseError && !NOT_NOW.test(error.code ?? '')) return error;
  return new ApiError('unavailable', 'The database is not available. Try again.', { cause: error });
}
