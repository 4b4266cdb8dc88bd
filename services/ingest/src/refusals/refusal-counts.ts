import type { ErrorCode, Refused } from '@cellarman/contracts';

/** Why something with a known key was refused: a code of the catalogue, or what is wrong with the key itself. */
export type RefusalCode = ErrorCode | 'key_expired' | 'key_revoked';

/** What was refused since it was last taken, by key, code and field. */
export interface RefusalCounts {
  /** @param rack where the reading was good enough to tell */
  note(keyId: string, code: RefusalCode, field: Refused['field'], rack?: string): void;
  /** At most so many of them, which are forgotten here. */
  take(most: number): CountedRefusal[];
}

export interface CountedRefusal extends Omit<Refused, 'agoMs'> {
  /** When the last of them was, by the monotonic clock, in milliseconds. */
  atMs: number;
}

export interface RefusalCountsOptions {
  /** So many kinds wait for key-service; further ones are not counted until it is back. */
  maxKinds: number;
  clock?: { now(): number };
}

/** A flood of refusals of one kind costs a look into a map each. */
export function createRefusalCounts({ maxKinds, clock = performance }: RefusalCountsOptions): RefusalCounts {
  const kinds = new Map<string, CountedRefusal>();

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
      const taken: CountedRefusal[] = [];
      for (const [name, kind] of kinds) {
        if (taken.length === most) break;
        kinds.delete(name);
        taken.push(kind);
      }
      return taken;
    },
  };
}
