import type { ErrorCode, Rejected } from '@cellarman/contracts';

/** Why something with a known key was rejected: a code of the catalogue, or what is wrong with the key itself. */
export type RejectionCode = ErrorCode | 'key_expired' | 'key_revoked';

/** What was rejected since it was last taken, by key, code and field. */
export interface RejectionCounts {
  /** @param rack where the reading was good enough to tell */
  note(keyId: string, code: RejectionCode, field: Rejected['field'], rack?: string): void;
  /** At most so many of them, which are forgotten here. */
  take(most: number): CountedRejection[];
}

export interface CountedRejection extends Omit<Rejected, 'agoMs'> {
  /** When the last of them was, by the monotonic clock, in milliseconds. */
  atMs: number;
}

export interface RejectionCountsOptions {
  /** So many kinds wait for key-service; further ones are not counted until it is back. */
  maxKinds: number;
  clock?: { now(): number };
}

/** A flood of rejections of one kind costs a look into a map each. */
export function createRejectionCounts({
  maxKinds,
  clock = performance,
}: RejectionCountsOptions): RejectionCounts {
  const kinds = new Map<string, CountedRejection>();

  return {
    note(keyId, code, field, rack) {
      const name = `${keyId} ${code} ${field ?? ''}`;
      const known = kinds.get(name);
      if (known !== undefined) {
        known.count++;
        known.atMs = clock.now();
        known.rack = rack ?? known.rack;
      } else if (kinds.size < maxKinds) {
        kinds.set(name, { keyId, code, field, rack: rack ?? null, count: 1, atMs: clock.now() });
      }
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
