const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How far `at` is from `now`, in the words of a person: "3 min ago", "in 5 days". Both in milliseconds since 1970. */
export function describeDistance(at: number, now: number): string {
  const distance = Math.abs(now - at);
  if (distance < 2 * SECOND) return 'just now';
  const amount = describeAmount(distance);
  return at > now ? `in ${amount}` : `${amount} ago`;
}

function describeAmount(milliseconds: number): string {
  if (milliseconds < MINUTE) return `${Math.floor(milliseconds / SECOND)} s`;
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`;
  if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)} h`;
  if (milliseconds < 60 * DAY) return `${Math.floor(milliseconds / DAY)} days`;
  if (milliseconds < 730 * DAY) return `${Math.floor(milliseconds / (30.44 * DAY))} months`;
  return `${Math.floor(milliseconds / (365.25 * DAY))} years`;
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
