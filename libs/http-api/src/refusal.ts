import type { ErrorCode } from '@cellarman/contracts';

/** A request that is not carried out, for a reason in the error catalogue. The HTTP edge makes an answer of it. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** Goes out as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** Goes out as `Location`: what stands in the way of the request. */
  readonly location: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number; location?: string } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'Refusal';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.location = options.location;
  }
}
