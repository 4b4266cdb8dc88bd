import type { IncomingHttpHeaders } from 'node:http';

/** Headers that are about one connection and not about the message (RFC 9110, 7.6.1). */
const OF_THE_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The name of this host is not that of the next; a request without a body announces none. */
const OF_THE_REQUEST = new Set(['host', 'content-length', 'expect']);

/** What goes on to the next server: all that is about the message, as it came. */
export function requestHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return without(headers, OF_THE_REQUEST);
}

/** What goes back to the client. */
export function responseHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return without(headers, new Set());
}

function without(headers: IncomingHttpHeaders, others: ReadonlySet<string>) {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/));
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || named.has(name) || OF_THE_CONNECTION.has(name) || others.has(name)) continue;
    kept[name] = value;
  }
  return kept;
}
