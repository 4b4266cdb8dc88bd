import { PassThrough, pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { ApiError } from '@cellarman/http-api';

/** Open streams of new readings, which would last longer than a stop may take. */
export interface LiveResponses {
  max: number;
  /** @throws {ApiError} `unavailable` when there are too many */
  admit(): void;
  /** Returns a body that `end` can complete. */
  add(body: Readable): Readable;
  /** Completes them: their clients reconnect, to another replica. */
  end(): void;
}

export function createLiveResponses({ max }: { max: number }): LiveResponses {
  const open = new Map<PassThrough, Readable>();
  return {
    max,
    admit() {
      if (open.size >= max) throw new ApiError('unavailable', 'Too many open streams. Try again.');
    },
    add(body) {
      const copy = new PassThrough();
      open.set(copy, body);
      pipeline(body, copy, () => open.delete(copy));
      return copy;
    },
    end() {
      for (const [copy, body] of open) {
        body.unpipe(copy);
        copy.end();
        body.destroy();
      }
    },
  };
}
