import { trace, TraceFlags } from '@opentelemetry/api';
import type { Attributes, Context, Histogram, Meter, MetricOptions } from '@opentelemetry/api';
import { labelId } from './label-id.ts';

/** One measurement, and the trace in which one sees why it is what it is. */
export interface Exemplar {
  value: number;
  traceId: string;
  spanId: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** The newest exemplar of each bucket, by the place of the bucket; undefined where there is none. */
export type BucketExemplars = readonly (Exemplar | undefined)[];

export interface Exemplars {
  /** The same meter, whose histograms keep the measurements that are made in a recorded trace. */
  observe(meter: Meter): Meter;
  of(histogram: string, labels: Attributes): BucketExemplars;
}

/** The number of combinations of labels of a histogram that have exemplars, about 1 KB each; routes and statuses make fewer. */
const MAX_SERIES = 500;

/**
 * Exemplars, which the metrics SDK for JavaScript does not have.
 *
 * A histogram looks at the context that its caller gives to `record` and at no other: to look for the active one would cost
 * each measurement more than the measurement itself, and 1 request in 100 is traced.
 */
export function createExemplars(): Exemplars {
  const histograms = new Map<string, Map<string, (Exemplar | undefined)[]>>();

  function keeper(name: string, boundaries: readonly number[]) {
    const series = new Map<string, (Exemplar | undefined)[]>();
    histograms.set(name, series);
    return (value: number, labels: Attributes, context: Context): void => {
      const span = trace.getSpanContext(context);
      if (span === undefined || (span.traceFlags & TraceFlags.SAMPLED) === 0) return;
      const id = labelId(labels);
      let buckets = series.get(id);
      if (buckets === undefined) {
        if (series.size >= MAX_SERIES) return;
        buckets = [];
        series.set(id, buckets);
      }
      const bucket = boundaries.findIndex((bound) => value <= bound);
      buckets[bucket === -1 ? boundaries.length : bucket] = {
        value,
        traceId: span.traceId,
        spanId: span.spanId,
        at: Date.now(),
      };
    };
  }

  return {
    observe(meter) {
      const observed = Object.create(meter) as Meter;
      observed.createHistogram = (name: string, options?: MetricOptions): Histogram => {
        const histogram = meter.createHistogram(name, options);
        const boundaries = options?.advice?.explicitBucketBoundaries;
        if (boundaries === undefined) return histogram;
        const keep = keeper(name, boundaries);
        return {
          record(value, labels, context) {
            histogram.record(value, labels);
            if (context !== undefined) keep(value, labels ?? {}, context);
          },
        };
      };
      return observed;
    },
    of: (histogram, labels) => histograms.get(histogram)?.get(labelId(labels)) ?? [],
  };
}
