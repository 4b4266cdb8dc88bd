export interface Activity {
  readingsLastHour: number;
  lastReadingAt: string | null;
  silentRacks: number;
  /** Readings by the hour, the oldest first. */
  hours: readonly number[];
}

export const NO_ACTIVITY: Activity = { readingsLastHour: 0, lastReadingAt: null, silentRacks: 0, hours: [] };
