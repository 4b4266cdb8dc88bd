const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How far `at` is from `now`, in the words of a person: "3 min ago", "in 5 days". Both in milliseconds since 1970. What
 * has passed counts whole units only; what will come is rounded, so that 3 days from now are not 2 a moment later.
 */
export function describeDistance(at: number, now: number): string {
  const distance = Math.abs(now - at);
  if (distance < 2 * SECOND) return 'just now';
  return at > now
    ? `in ${describeAmount(distance, Math.round)}`
    : `${describeAmount(distance, Math.floor)} ago`;
}

const UNITS = [
  { name: 's', length: SECOND, below: 60 },
  { name: 'min', length: MINUTE, below: 60 },
  { name: 'h', length: HOUR, below: 48 },
  { name: 'days', length: DAY, below: 60 },
  { name: 'months', length: 30.44 * DAY, below: 24 },
];
const YEARS = { name: 'years', length: 365.25 * DAY };

/** "3 h" */
export function describeDuration(milliseconds: number): string {
  return describeAmount(milliseconds, Math.round);
}

function describeAmount(milliseconds: number, round: (amount: number) => number): string {
  const unit = UNITS.find(({ length, below }) => round(milliseconds / length) < below) ?? YEARS;
  return `${round(milliseconds / unit.length)} ${unit.name}`;
}

/** What a clock in the zone of the reader showed, as in "14:05", or "Tue 18 Nov, 14:05" on another day than `now`. */
export function describeClock(at: Date, now: Date, timeZone?: string): string {
  const day = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone,
  });
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  const on = day.format(at);
  return on === day.format(now) ? clock.format(at) : `${on.replace(',', '')}, ${clock.format(at)}`;
}

/** The time of day in the zone of the reader, as in "14:05:09". */
export function describeTimeOfDay(at: Date, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone }).format(at);
}

/** The exact time in the zone of the reader, as in "Sat, 21 Nov 2026, 07:30:05". */
export function describeLocal(at: Date, timeZone?: string): string {
  return write(at, timeZone);
}

/** The same in UTC, which is what devices send. */
export function describeUtc(at: Date): string {
  return `${write(at, 'UTC')} UTC`;
}

function write(at: Date, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone,
  }).format(at);
}
