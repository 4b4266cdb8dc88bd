import { describeDistance } from '../display/time/describe-time.ts';

/** As the first filter for silent racks. */
const SILENT_AFTER_MS = 300_000;

/** Returns for how long a rack has been silent: "12 min". Undefined: it was seen in the last five minutes. */
export function describeSilence(lastSeenAt: string, now: number): string | undefined {
  const at = Date.parse(lastSeenAt);
  if (now - at < SILENT_AFTER_MS) return undefined;
  return describeDistance(at, now).replace(/ ago$/, '');
}
