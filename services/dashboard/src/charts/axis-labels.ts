import type { TimeZone } from './chart-series.ts';
import { withUnit } from '../kegs/describe-value.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MOST_DIGITS = 9;

/**
 * Returns the labels of a time axis: "14:05", and the date below the first label of each day.
 *
 * @param every the distance of the labels, in milliseconds
 * @param until later ones have no date, for which there is no space @default all have
 */
export function timeLabels(
  times: readonly number[],
  every: number,
  zone: TimeZone,
  until = Infinity,
): string[] {
  const { clock, date } = formatsFor(every, zone);
  let previous = '';
  return times.map((time) => {
    const day = date.format(time).replace(',', '');
    if (every >= DAY) return time > until ? '' : day;
    const text = day === previous || time > until ? clock.format(time) : `${clock.format(time)}\n${day}`;
    previous = day;
    return text;
  });
}

/** Returns when a step is: "Sat 21 Nov, 14:05 – 14:10". */
export function describeStep(at: number, step: number, zone: TimeZone): string {
  const { clock, date } = formatsFor(step, zone);
  const [day, lastDay] = [at, at + step].map((time) => date.format(time).replace(',', ''));
  const end = clock.format(at + step);
  const text = `${day}, ${clock.format(at)} – ${day === lastDay ? end : `${lastDay}, ${end}`}`;
  return zone === 'utc' ? `${text} UTC` : text;
}

function formatsFor(precision: number, zone: TimeZone) {
  const options = { timeZone: zone === 'utc' ? 'UTC' : undefined } as const;
  const clock = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(precision < MINUTE && { second: '2-digit' }),
    ...(precision < 1_000 && { fractionalSecondDigits: 3 }),
    ...options,
  });
  const date = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...options,
  });
  return { clock, date };
}

/** Returns the labels of an axis of values, with as many decimals as their distance needs. */
export function valueLabels(values: readonly number[], every: number, unit: string | null): string[] {
  let digits = 0;
  // 2.5 needs one, though it is more than 1.
  while (digits < MOST_DIGITS && Math.abs(Number(every.toFixed(digits)) - every) > every / 1e6) digits += 1;
  const isLarge = values.some((value) => Math.abs(value) >= 100_000);
  const format = new Intl.NumberFormat(
    'en-GB',
    isLarge
      ? { notation: 'compact', maximumSignificantDigits: 4 }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  );
  return values.map((value) => withUnit(format.format(value), unit));
}
