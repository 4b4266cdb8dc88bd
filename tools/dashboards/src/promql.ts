/** A metric of the chosen namespaces. A Prometheus outside of Kubernetes has no namespaces: .* also matches none. */
export function of(metric: string, matchers = ''): string {
  return `${metric}{namespace=~"$namespace"${matchers === '' ? '' : `,${matchers}`}}`;
}

/** How much it grows in a second. */
export function rate(metric: string, matchers = ''): string {
  return `rate(${of(metric, matchers)}[$__rate_interval])`;
}

export function sumOfRates(metric: string, by = '', matchers = ''): string {
  return `sum${by === '' ? '' : ` by (${by})`} (${rate(metric, matchers)})`;
}

/** Below which value so many of the observations are, 0 to 1. */
export function quantile(q: number, histogram: string, by = ''): string {
  const labels = by === '' ? 'le' : `le, ${by}`;
  return `histogram_quantile(${q}, sum by (${labels}) (${rate(`${histogram}_bucket`)}))`;
}

/** The middle, and what one in a hundred exceeds. */
export function middleAndWorst(histogram: string): { expr: string; legend: string }[] {
  return [
    { expr: quantile(0.5, histogram), legend: 'half' },
    { expr: quantile(0.99, histogram), legend: '99 in 100' },
  ];
}
