/** What became of a reading, as far as its sender can know. */
export type Outcome =
  | { outcome: 'acknowledged' }
  /** Surely not stored. */
  | { outcome: 'rejected'; code: string }
  /** It may have been stored: there was no response, or one that leaves it open. */
  | { outcome: 'unknown'; code: string };
