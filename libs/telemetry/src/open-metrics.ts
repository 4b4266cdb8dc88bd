import type { Attributes } from '@opentelemetry/api';
import { DataPointType } from '@opentelemetry/sdk-metrics';
import type { HistogramMetricData, MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Exemplar, Exemplars } from './exemplars.ts';

/**
 * Metrics in the format OpenMetrics 1.0, which has a place for exemplars. The exporter of OpenTelemetry writes only the older
 * text of Prometheus, which has none.
 *
 * https://prometheus.io/docs/specs/om/open_metrics_spec/
 */
export function toOpenMetrics({ resource, scopeMetrics }: ResourceMetrics, exemplars: Exemplars): string {
  const families = scopeMetrics.flatMap(({ metrics }) => metrics.map((metric) => family(metric, exemplars)));
  const target = [
    ...head('target', 'info', 'Target metadata'),
    sample('target_info', resource.attributes, 1),
  ];
  return [...target, ...families.flat(), '# EOF', ''].join('\n');
}

function family(metric: MetricData, exemplars: Exemplars): string[] {
  const { name: given, description } = metric.descriptor;
  const name = legal(given);
  switch (metric.dataPointType) {
    case DataPointType.HISTOGRAM:
      return [...head(name, 'histogram', description), ...histogram(name, metric, exemplars)];
    case DataPointType.EXPONENTIAL_HISTOGRAM:
      throw new Error(`${name} is an exponential histogram, which the Prometheus format cannot represent`);
    case DataPointType.SUM:
    case DataPointType.GAUGE: {
      const isCounter = metric.dataPointType === DataPointType.SUM && metric.isMonotonic;
      // The family of a counter is called without what its samples end with.
      const base = isCounter ? name.replace(/_total$/, '') : name;
      const samples = metric.dataPoints.map(({ attributes, value }) =>
        sample(isCounter ? `${base}_total` : base, attributes, value),
      );
      return [...head(base, isCounter ? 'counter' : 'gauge', description), ...samples];
    }
  }
}

function histogram(name: string, metric: HistogramMetricData, exemplars: Exemplars): string[] {
  return metric.dataPoints.flatMap(({ attributes, value: { buckets, count, sum } }) => {
    const kept = exemplars.of(metric.descriptor.name, attributes);
    let total = 0;
    const lines = buckets.counts.map((inBucket, place) => {
      total += inBucket;
      const le = bound(buckets.boundaries[place]);
      return sample(`${name}_bucket`, { ...attributes, le }, total) + exemplar(kept[place]);
    });
    return [
      ...lines,
      sample(`${name}_count`, attributes, count),
      sample(`${name}_sum`, attributes, sum ?? 0),
    ];
  });
}

function head(name: string, type: string, help: string): string[] {
  return [`# TYPE ${name} ${type}`, ...(help === '' ? [] : [`# HELP ${name} ${escape(help)}`])];
}

function sample(name: string, labels: Attributes, value: number): string {
  return `${name}${braces(labels)} ${number(value)}`;
}

function exemplar(kept: Exemplar | undefined): string {
  if (kept === undefined) return '';
  const { traceId, spanId, value, at } = kept;
  return ` # {trace_id="${traceId}",span_id="${spanId}"} ${number(value)} ${at / 1_000}`;
}

function braces(labels: Attributes): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${legal(name)}="${escape(typeof value === 'string' ? value : JSON.stringify(value))}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** The bound of a bucket is written with a fraction, so that it is the same label everywhere. */
function bound(value: number | undefined): string {
  if (value === undefined || value === Infinity) return '+Inf';
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function number(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function legal(name: string): string {
  return name.replace(/[^a-zA-Z0-9_]/g, '_');
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
