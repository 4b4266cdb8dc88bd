/**
 * The producers, the sink and the table no longer agree, and it is not about single rows. Carrying on would move the whole
 * topic to the dead letters, or store what was not sent. A person must look; until then nothing is committed.
 */
export class SchemaFault extends Error {
  override name = 'SchemaFault';
}

/** Counts bad rows with no good one between them. */
export interface Streak {
  good(): void;
  /** @throws {SchemaFault} above the limit */
  bad(reason: string): void;
  /** A copy for a search that may have to start again. */
  fork(): Streak;
}

/** @param limit 0: no limit */
export function createStreak(limit: number, length = 0): Streak {
  return {
    good() {
      length = 0;
    },
    bad(reason) {
      length++;
      if (limit > 0 && length > limit) {
        throw new SchemaFault(`more than ${limit} bad rows in a row, the last one: ${reason}`);
      }
    },
    fork: () => createStreak(limit, length),
  };
}
