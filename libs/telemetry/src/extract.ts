import type { IncomingHttpHeaders } from 'node:http';
import { propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { SpanContext } from '@opentelemetry/api';
import type { TelemetryConfig } from './config.ts';
import { parseTraceparent } from './traceparent.ts';

/** Returns the trace that a request belongs to, if it carries one. */
export type Extract = (headers: IncomingHttpHeaders) => SpanContext | undefined;

/** Reads `traceparent` and nothing else, without the propagator of the SDK, which costs a reading more than its span. */
export const extractTraceparent: Extract = ({ traceparent }) =>
  typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined;

/** @returns the propagators of OTEL_PROPAGATORS; the SDK must have been started if it is set */
export function createExtract({
  OTEL_PROPAGATORS: propagators,
  OTEL_SDK_DISABLED,
}: TelemetryConfig): Extract {
  if (propagators === undefined || OTEL_SDK_DISABLED === true) return extractTraceparent;
  return (headers) => trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers));
}
