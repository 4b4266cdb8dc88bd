const exact = new Intl.NumberFormat('en-GB');

/** With thousands separated: 12,431. */
export function describeExactly(value: number): string {
  return exact.format(value);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${describeExactly(count)} ${count === 1 ? one : many}`;
}
