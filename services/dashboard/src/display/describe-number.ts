const exact = new Intl.NumberFormat('en-GB');

const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumSignificantDigits: 3 });

/** At most three figures: 12.4K. */
export function describeShortly(value: number): string {
  return short.format(value);
}

/** With thousands separated: 12,431. */
export function describeExactly(value: number): string {
  return exact.format(value);
}

/** key-service counts no further, and sorts no more keys without an index. */
export const MOST_COUNTED_KEYS = 10_000;

export function describeActiveKeys(activeKeys: number): string {
  return activeKeys > MOST_COUNTED_KEYS ? `${exact.format(MOST_COUNTED_KEYS)}+` : exact.format(activeKeys);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${describeExactly(count)} ${count === 1 ? one : many}`;
}

/** "108 of 1,058 (10.2 %)". A small share is never 0 %. */
export function describeShare(part: number, whole: number): string {
  return `${describeExactly(part)} of ${describeExactly(whole)} (${describePercent(part, whole)})`;
}

export function describePercent(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent.toLocaleString('en-GB', { maximumFractionDigits: 1 })} %`;
}
