import type { Attributes, Meter } from '@opentelemetry/api';

/** A number, or one for each combination of labels. Undefined: the gauge has no value now. */
type Value = number | undefined | readonly (readonly [value: number | undefined, labels: Attributes])[];

/** What a gauge means, and how it is read at each scrape. */
export type Gauge = readonly [description: string, read: () => Value | Promise<Value>];

/**
 * Adds gauges, which are read at each scrape. Their unit is the end of their name: `_seconds` or `_bytes`.
 *
 * @param prefix of all names, such as `cellarman_sink_`
 */
export function observeGauges(meter: Meter, prefix: string, gauges: Readonly<Record<string, Gauge>>): void {
  for (const [name, [description, read]] of Object.entries(gauges)) {
    const unit = name.endsWith('_seconds') ? 's' : name.endsWith('_bytes') ? 'By' : '';
    meter.createObservableGauge(`${prefix}${name}`, { description, unit }).addCallback(async (result) => {
      const value = await read();
      const values = typeof value === 'object' ? value : [[value, {}] as const];
      for (const [number, labels] of values) if (number !== undefined) result.observe(number, labels);
    });
  }
}
