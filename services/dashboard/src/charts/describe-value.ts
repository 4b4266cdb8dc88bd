import type { ValueFormat } from './chart-series.ts';

/** Smaller ones are written with an exponent. */
const SMALLEST_PLAIN = 0.001;

/** Returns a value with the decimals and the unit of its keg: "12.28 °C". */
export function describeValue(value: number, { unit, decimals }: Omit<ValueFormat, 'goodRange'>): string {
  return withUnit(describeDigits(value, decimals), unit);
}

export function withUnit(text: string, unit: string | null): string {
  // Not broken into two lines.
  return unit === null ? text : `${text}\u00A0${unit}`;
}

function describeDigits(value: number, decimals: number | null): string {
  const size = Math.abs(value);
  if (decimals === null && value !== 0 && (size < SMALLEST_PLAIN || size >= 1e15)) {
    return value.toPrecision(4);
  }
  return new Intl.NumberFormat('en-GB', {
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: decimals ?? (size < 100 ? 3 : 2),
  }).format(value);
}

export function isOutside(value: number, { min, max }: ValueFormat['goodRange']): boolean {
  return (min !== null && value < min) || (max !== null && value > max);
}
