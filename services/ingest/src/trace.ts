import type { IncomingHttpHeaders } from 'node:http';
import { extractTraceparent, formatTraceparent } from '@cellarman/telemetry';
import type { Extract, Telemetry } from '@cellarman/telemetry';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace as otel } from '@opentelemetry/api';
import type { Context, SpanContext } from '@opentelemetry/api';

/** The part of a trace that a reading, or each reading of a batch, carries through Kafka. */
export interface ReadingTrace {
  traceparent: string;
  /** Where measurements of it are made, if it is recorded. */
  context?: Context;
  end(error?: unknown): void;
}

/**
 * @param headers of the request
 * @param receivedMs when the request came, in milliseconds since 1970
 * @param name of the span; `ingest reading` by default
 * @returns undefined when there is nothing to carry
 */
export type StartTrace = (
  headers: IncomingHttpHeaders,
  receivedMs: number,
  name?: string,
) => ReadingTrace | undefined;

/**
 * Passes a client's own trace on to the consumers, where ingest records nothing of it: with the client's sampled flag, which a
 * `ParentBased` sampler of a consumer goes by. `tracestate` is dropped.
 */
export function createPassTraceOn(extract: Extract): StartTrace {
  return (headers) => forwardUnchanged(extract(headers));
}

/** With the header of W3C, as in the topic. */
export const passTraceOn: StartTrace = createPassTraceOn(extractTraceparent);

function forwardUnchanged(parent: SpanContext | undefined): ReadingTrace | undefined {
  const traceparent = parent === undefined ? undefined : formatTraceparent(parent);
  return traceparent === undefined ? undefined : { traceparent, end() {} };
}

/** One span per request that is sampled, from its receipt to its acknowledgement; the others make no span. */
export function createStartTrace({
  tracer,
  beginTrace,
  extract,
}: Pick<Telemetry, 'tracer' | 'beginTrace' | 'extract'>): StartTrace {
  return (headers, receivedMs, name = 'ingest reading') => {
    const parent = extract(headers);
    const context = parent === undefined ? beginTrace() : otel.setSpanContext(ROOT_CONTEXT, parent);
    if (context === undefined) return undefined;
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, startTime: receivedMs }, context);
    if (!span.isRecording()) return forwardUnchanged(parent);
    const traceparent = formatTraceparent(span.spanContext());
    if (traceparent === undefined) return undefined;
    return {
      traceparent,
      context: otel.setSpan(ROOT_CONTEXT, span),
      end(error) {
        if (error !== undefined)
          span.setStatus({
            code: SpanStatusCode.ERROR,
            message: error instanceof Error ? error.message : 'failed',
          });
        span.end();
      },
    };
  };
}
