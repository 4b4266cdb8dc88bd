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
