import type { Bar } from './fill-buckets.ts';
import type { RangeName } from './ranges.ts';

/** The distance between labels, in minutes. */
const TICK_MINUTES = { hour: 10, day: 180, week: 1_440 } as const;

/** Returns the bars that start at a round time in the time zone of the reader. */
export function axisTicks(bars: readonly Bar[], range: RangeName): number[] {
  const every = TICK_MINUTES[range];
  let last: number | undefined;
  return bars.flatMap(({ at }) => {
    const date = new Date(at);
    const tick = Math.floor((at / 60_000 - date.getTimezoneOffset()) / every);
    const isFirst = last === undefined;
    const isNew = tick !== last;
    last = tick;
    return isNew && !isFirst ? [at] : [];
  });
}

/** Returns "14:05", or "Tue 18 Nov". */
export function describeTick(at: number, range: RangeName): string {
  const format: Intl.DateTimeFormatOptions =
    range === 'week'
      ? { weekday: 'short', day: 'numeric', month: 'short' }
      : { hour: '2-digit', minute: '2-digit' };
  return new Intl.DateTimeFormat('en-GB', format).format(at).replace(',', '');
}
