import { isSpanContextValid, TraceFlags } from '@opentelemetry/api';
import type { Link, SpanContext } from '@opentelemetry/api';

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;

/** The W3C text that goes into an HTTP or Kafka header, or nothing when there is no trace to point to. */
export function formatTraceparent(context: SpanContext): string | undefined {
  if (!isSpanContextValid(context)) return undefined;
  const flags = context.traceFlags.toString(16).padStart(2, '0');
  return `00-${context.traceId}-${context.spanId}-${flags}`;
}

/** Reads a header of a client: anything malformed is no trace, never an error. */
export function parseTraceparent(header: string | Buffer | undefined): SpanContext | undefined {
  if (header === undefined) return undefined;
  const text = typeof header === 'string' ? header : header.toString('latin1');
  const match = TRACEPARENT.exec(text);
  if (match === null) return undefined;
  if (text.startsWith('00-') ? text.length !== 55 : text.length > 55 && text[55] !== '-') return undefined;
  const [, traceId = '', spanId = '', flags = ''] = match;
  const context: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  };
  return isSpanContextValid(context) ? context : undefined;
}

/**
 * Links for the one span of a batch: to each recorded trace once, and to at most `limit` of them.
 *
 * Traces that were not sampled are left out, there is nothing to look at behind such a link.
 */
export function linksFromTraceparents(headers: Iterable<string | Buffer | undefined>, limit = 32): Link[] {
  const links = new Map<string, Link>();
  for (const header of headers) {
    if (links.size >= limit) break;
    const context = parseTraceparent(header);
    if (context === undefined || (context.traceFlags & TraceFlags.SAMPLED) === 0) continue;
    links.set(context.spanId, { context });
  }
  return [...links.values()];
}
