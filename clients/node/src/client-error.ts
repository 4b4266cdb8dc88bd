/** Why `openClient` or `put` failed. */
export type ClientErrorCode =
  | 'invalid_options'
  | 'invalid_reading'
  | 'clock_not_set'
  | 'spool_full'
  | 'spool_locked'
  | 'spool_failed'
  | 'closed';

export class ClientError extends Error {
  override name = 'ClientError';
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
