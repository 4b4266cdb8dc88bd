import { serviceName } from './service-name.ts';
import { fields } from './wire-format.ts';

export interface ExportedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the first of its trace. */
  parentSpanId: string;
  links: { traceId: string; spanId: string }[];
}

/* Numbers of fields, from opentelemetry/proto/collector/trace/v1 and trace/v1. They never change. */
const RESOURCE_SPANS = 1;
const RESOURCE = { resource: 1, scopeSpans: 2 };
const SCOPE = { spans: 2 };
const SPAN = { traceId: 1, spanId: 2, parentSpanId: 4, name: 5, links: 13 };
const LINK = { traceId: 1, spanId: 2 };

/** The spans of one export over OTLP/HTTP. */
export function readSpans(request: Buffer): ExportedSpan[] {
  return fields(request)
    .all(RESOURCE_SPANS)
    .flatMap((resourceSpans) => {
      const parts = fields(resourceSpans);
      const service = serviceName(parts.one(RESOURCE.resource));
      const spans = parts.all(RESOURCE.scopeSpans).flatMap((scope) => fields(scope).all(SCOPE.spans));
      return spans.map((span) => readSpan(service, span));
    });
}

function readSpan(service: string, span: Buffer): ExportedSpan {
  const parts = fields(span);
  return {
    service,
    name: parts.one(SPAN.name).toString(),
    traceId: parts.one(SPAN.traceId).toString('hex'),
    spanId: parts.one(SPAN.spanId).toString('hex'),
    parentSpanId: parts.one(SPAN.parentSpanId).toString('hex'),
    links: parts.all(SPAN.links).map((link) => ({
      traceId: fields(link).one(LINK.traceId).toString('hex'),
      spanId: fields(link).one(LINK.spanId).toString('hex'),
    })),
  };
}
