import type { KegSettings } from '../api/resources.ts';

export type ValueSettings = Pick<KegSettings, 'unit' | 'decimals' | 'goodRange'>;

/** Where a value is in relation to the good range of its keg. Undefined: it has no range. */
export type RangeState = 'good' | 'low' | 'high' | undefined;

export interface DescribedValue {
  /** Without the unit. */
  number: string;
  /** Empty without a unit. */
  unit: string;
  /** Number and unit. */
  text: string;
  state: RangeState;
}

/** Enough for every sensor; averages have more digits than they are exact. */
const DIGITS_WITHOUT_SETTINGS = 7;
/** Beyond them, zeros would fill the line. */
const GREAT = 1e15;
const SMALL = 1e-6;
/** Units that follow the number without a space. */
const ATTACHED = /^(%|‰|°$|′|″)/u;

/** Returns how a value of a keg is shown: with the unit and decimals of its settings, if it has any. */
export function describeValue(value: number, settings: ValueSettings | undefined): DescribedValue {
  const { unit = null, decimals = null } = settings ?? {};
  const number = describeNumber(value, decimals);
  return {
    number,
    unit: unit ?? '',
    text: withUnit(number, unit),
    state: rangeState(value, settings),
  };
}

export function withUnit(number: string, unit: string | null): string {
  if (unit === null) return number;
  return `${number}${ATTACHED.test(unit) ? '' : '\u00A0'}${unit}`;
}

export function rangeState(value: number, settings: ValueSettings | undefined): RangeState {
  const { min = null, max = null } = settings?.goodRange ?? {};
  if (min === null && max === null) return undefined;
  if (min !== null && value < min) return 'low';
  return max !== null && value > max ? 'high' : 'good';
}

/** Returns "10 to 25 °C", or "at most 25 °C". Undefined: there is no range. */
export function describeGoodRange(settings: ValueSettings | undefined): string | undefined {
  const { min = null, max = null } = settings?.goodRange ?? {};
  const write = (limit: number) => describeValue(limit, settings);
  if (min !== null && max !== null) return `${write(min).number} to ${write(max).text}`;
  if (min !== null) return `at least ${write(min).text}`;
  return max === null ? undefined : `at most ${write(max).text}`;
}

function describeNumber(value: number, decimals: number | null): string {
  const size = Math.abs(value);
  if (size >= GREAT || (size > 0 && size < SMALL && decimals === null)) return value.toExponential(3);
  return formatOf(decimals).format(value);
}

const formats = new Map<number | null, Intl.NumberFormat>();

/** Creating a format takes longer than formatting a thousand values. */
function formatOf(decimals: number | null): Intl.NumberFormat {
  const known = formats.get(decimals);
  if (known !== undefined) return known;
  const digits =
    decimals === null
      ? { maximumSignificantDigits: DIGITS_WITHOUT_SETTINGS }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = new Intl.NumberFormat('en-GB', { ...digits, signDisplay: 'negative' });
  formats.set(decimals, format);
  return format;
}
