export interface Problem {
  status: number;
  code: string;
  message: string;
}

/** A request that was refused or not answered. `status` is 0 when there was no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor({ status, code, message }: Problem, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether the same request can succeed later without anybody changing anything. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
