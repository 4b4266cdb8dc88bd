import type { ErrorCode } from '@cellarman/contracts';

/** The batch is rejected as a whole, and nothing of it was published. `ingest-batch.ts` sends the response. */
export class BatchRejection extends Error {
  override readonly name = 'BatchRejection';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function noRoom(): BatchRejection {
  return new BatchRejection('unavailable', 'Too many batches are under way; send this one again');
}

/** Whether the batch was rejected for what others hold, not for what is in it. */
export function isNoRoom(error: unknown): boolean {
  return error instanceof BatchRejection && error.code === 'unavailable';
}
