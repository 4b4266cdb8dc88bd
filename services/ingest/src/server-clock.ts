/** The wall clock of this server, with its ISO text formatted once per millisecond instead of once per request. */
export interface ServerClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** ISO 8601 in UTC with milliseconds. */
  iso(ms: number): string;
}

export function createServerClock(now: () => number = Date.now): ServerClock {
  let formattedMs = Number.NaN;
  let formatted = '';
  return {
    now,
    iso(ms) {
      if (ms !== formattedMs) {
        formatted = new Date(ms).toISOString();
        formattedMs = ms;
      }
      return formatted;
    },
  };
}
