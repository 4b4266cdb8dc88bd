import type { ErrorCode } from '@cellarman/contracts';

/** The batch is refused as a whole, and nothing of it was published. `ingest-batch.ts` makes the answer. */
export class BatchRefusal extends Error {
  override readonly name = 'BatchRefusal';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function noRoom(): BatchRefusal {
  return new BatchRefusal('unavailable', 'Too many batches are under way; send this one again');
}

/** Whether the batch was refused for what others hold, not for what is in it. */
export function isNoRoom(error: unknown): boolean {
  return error instanceof BatchRefusal && error.code === 'unavailable';
}
