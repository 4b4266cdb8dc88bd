import type { Extract } from '@cellarman/telemetry';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { Meter, Span, Tracer } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Probes are frequent and carry no information. */
const IGNORED = new Set(['/livez', '/readyz', '/metrics']);

/** One span and one measurement for each request, by its route, because paths contain names of cellars. */
export function observeRequests(
  app: FastifyInstance,
  options: {
    meter: Meter;
    tracer: Tracer;
    extract: Extract;
    /** What the name of the metric has behind `cellarman_`: `query`. */
    service: string;
  },
): void {
  const { meter, tracer, extract, service } = options;
  const spans = new WeakMap<FastifyRequest, Span>();
  const duration = meter.createHistogram(`cellarman_${service}_request_duration_seconds`, {
    description: 'From the receipt of a request to the end of its response.',
    unit: 's',
    advice: { explicitBucketBoundaries: SECONDS },
  });

  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    if (!IGNORED.has(route)) {
      const parent = extract(request.headers);
      const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
      spans.set(request, tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER }, context));
    }
    done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    if (span !== undefined) {
      const status = reply.statusCode;
      const route = request.routeOptions.url ?? 'unknown';
      const isSampled = (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
      const context = isSampled ? trace.setSpan(ROOT_CONTEXT, span) : undefined;
      duration.record(reply.elapsedTime / 1_000, { method: request.method, route, status }, context);
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
    done();
  });
}
