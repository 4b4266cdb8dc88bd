import type { ErrorCode } from '@cellarman/contracts';

/** A request that fails for a reason in the error catalogue. The error handler turns it into a response. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** Sent as `Location`: the resource that the request conflicts with. */
  readonly location: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number; location?: string } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'ApiError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.location = options.location;
  }
}
