/** How far the view is behind the receipt of readings. */
export interface Behind {
  /** @param ageSeconds of the oldest reading of an insert, when it could be queried */
  stored(ageSeconds: number): void;
  /** @param unstoredSeconds the age of the oldest reading in memory. @returns null when there was nothing to store */
  milliseconds(unstoredSeconds: number | undefined): number | null;
}

/** The slowest insert of this time counts: single inserts vary. */
const WINDOW_MS = 10_000;

export function createBehind(clock: { now(): number } = performance): Behind {
  let inserts: { at: number; seconds: number }[] = [];

  return {
    stored(seconds) {
      inserts.push({ at: clock.now(), seconds });
      const first = inserts[0];
      // Old entries are removed now and then: an insert happens several times a second.
      if (first !== undefined && clock.now() - first.at > 2 * WINDOW_MS) inserts = recent();
    },
    milliseconds(unstoredSeconds) {
      const ages = recent().map(({ seconds }) => seconds);
      if (unstoredSeconds !== undefined) ages.push(unstoredSeconds);
      return ages.length === 0 ? null : Math.max(...ages) * 1_000;
    },
  };

  function recent() {
    return inserts.filter(({ at }) => clock.now() - at <= WINDOW_MS);
  }
}
