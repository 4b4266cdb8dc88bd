import type { ErrorCode, Rejected, RejectionsRequest } from '@cellarman/contracts';
import { fieldIn } from './field-in.ts';

/** Why something with a known key was rejected: a code of the catalogue, or what is wrong with the key itself. */
export type RejectionCode = ErrorCode | 'key_expired' | 'key_revoked';

/** What was rejected since it was last taken, by key, code and field. */
export interface RejectionCounts {
  /**
   * @param error the message of the response
   * @param rack if the reading was valid enough to know it
   */
  note(keyId: string, code: RejectionCode, error: string, rack?: string): void;
  /** A request without a key, or with one that nobody knows. */
  noteUnauthenticated(kind: keyof Unauthenticated): void;
  /** Returns and removes at most `most` of them. */
  take(most: number): CountedRejection[];
  /** Requests since it was last called. */
  takeUnauthenticated(): Unauthenticated;
}

export type Unauthenticated = NonNullable<RejectionsRequest['unauthenticated']>;

export interface CountedRejection extends Omit<Rejected, 'agoMs'> {
  /** When the last of them was, by the monotonic clock, in milliseconds. */
  atMs: number;
}

export interface RejectionCountsOptions {
  /** Up to this many kinds wait for key-service; others are not counted until it is back. */
  maxKinds: number;
  clock?: { now(): number };
}

/** A flood of rejections of one kind costs a look into a map each. */
export function createRejectionCounts({
  maxKinds,
  clock = performance,
}: RejectionCountsOptions): RejectionCounts {
  const kinds = new Map<string, CountedRejection>();
  let unauthenticated: Unauthenticated = { missing: 0, unknown: 0 };

  return {
    note(keyId, code, error, rack) {
      const field = fieldIn(error);
      const name = `${keyId} ${code} ${field ?? ''}`;
      const known = kinds.get(name);
      if (known !== undefined) {
        known.count++;
        known.atMs = clock.now();
        known.rack = rack ?? known.rack;
        known.detail = error;
      } else if (kinds.size < maxKinds) {
        kinds.set(name, {
          keyId,
          code,
          field,
          rack: rack ?? null,
          detail: error,
          count: 1,
          atMs: clock.now(),
        });
      }
    },
    noteUnauthenticated(kind) {
      unauthenticated[kind]++;
    },
    takeUnauthenticated() {
      const taken = unauthenticated;
      unauthenticated = { missing: 0, unknown: 0 };
      return taken;
    },
    take(most) {
      const taken: CountedRejection[] = [];
      for (const [name, kind] of kinds) {
        if (taken.length === most) break;
        kinds.delete(name);
        taken.push(kind);
      }
      return taken;
    },
  };
}
