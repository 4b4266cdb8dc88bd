export interface Problem {
  status: number;
  code: string;
  message: string;
}

/** A request that failed. `status` is 0 if there was no response. */
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

/** Whether a retry of the same request can succeed. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
