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

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${describeExactly(count)} ${count === 1 ? one : many}`;
}
