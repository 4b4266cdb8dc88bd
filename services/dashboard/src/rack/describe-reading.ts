import { describeDistance } from '../display/time/describe-time.ts';

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const formatsIn = (timeZone?: string) => ({
  clock: new Intl.DateTimeFormat('en-GB', { ...CLOCK, timeZone }),
  day: new Intl.DateTimeFormat('en-GB', { ...DAY, timeZone }),
  both: new Intl.DateTimeFormat('en-GB', { ...CLOCK, ...DAY, timeZone }),
});
const [LOCAL, UTC] = [formatsIn(), formatsIn('UTC')];

/** "04:05:12.345", or "22 Nov, 04:05:12.345" on another day than `now`. */
export function describeToMillisecond(timestamp: string, now: Date, zone?: 'utc'): string {
  const at = new Date(timestamp);
  const { clock, day, both } = zone === 'utc' ? UTC : LOCAL;
  return (day.format(at) === day.format(now) ? clock : both).format(at);
}

/** Returns the time from the timestamp of the device to the receipt: "240 ms", "1.2 s", "3 min". Clocks differ, so it can be negative. */
export function describeDelay({ timestamp, receivedAt }: { timestamp: string; receivedAt: string }): string {
  const delay = Date.parse(receivedAt) - Date.parse(timestamp);
  const size = Math.abs(delay);
  const sign = delay < 0 ? '−' : '';
  if (size < 1_000) return `${sign}${size} ms`;
  if (size < 60_000) return `${sign}${(size / 1_000).toFixed(1)} s`;
  if (size < 3_600_000) return `${sign}${Math.floor(size / 60_000)} min`;
  if (size < 48 * 3_600_000) return `${sign}${Math.floor(size / 3_600_000)} h`;
  return `${sign}${Math.floor(size / 86_400_000)} days`;
}

/** As the first filter for silent racks. */
const SILENT_AFTER_MS = 300_000;

/** Returns for how long a rack has been silent: "12 min". Undefined: it was seen in the last five minutes. */
export function describeSilence(lastSeenAt: string, now: number): string | undefined {
  const at = Date.parse(lastSeenAt);
  if (now - at < SILENT_AFTER_MS) return undefined;
  return describeDistance(at, now).replace(/ ago$/, '');
}
