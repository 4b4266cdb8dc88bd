const RECEIVED_AT = '"received_at":"';
/** `2026-11-21T03:52:16.050Z` */
const INSTANT_LENGTH = 24;

/**
 * How long ago the first of these readings was received, by the clocks of ingest and of this process. Clocks that differ
 * make it no less than 0.
 *
 * @param lines as they go into ClickHouse
 * @param now milliseconds since 1970
 */
export function oldestAgeSeconds(lines: readonly Buffer[], now: number): number | undefined {
  const received = lines.map(receivedMs).filter((ms) => !Number.isNaN(ms));
  return received.length === 0 ? undefined : Math.max(now - Math.min(...received), 0) / 1_000;
}

/** No string in the line can hold the name with its quotes: there they are escaped. */
function receivedMs(line: Buffer): number {
  const at = line.lastIndexOf(RECEIVED_AT);
  if (at < 0) return Number.NaN;
  const begin = at + RECEIVED_AT.length;
  return Date.parse(line.toString('latin1', begin, begin + INSTANT_LENGTH));
}
