import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** `198.51.100.7:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]`, as some proxies write them. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;

/**
 * Returns the IP addresses of an X-Forwarded-For header without ports, the nearest last.
 *
 * The proxies append, so only what follows the last entry that is no IP address is known to come from them.
 */
export function forwardedAddresses(header: string): string[] {
  const addresses: string[] = [];
  for (const entry of header.split(',').toReversed()) {
    const text = entry.trim();
    if (text === '') continue;
    const { v6, v4 } = WITH_PORT.exec(text)?.groups ?? {};
    const address = v6 ?? v4 ?? text;
    if (isIP(address) === 0) break;
    addresses.unshift(address);
  }
  return addresses;
}

/** Rewrites X-Forwarded-For before Fastify reads it: a port would make each connection an IP address of its own. */
export async function normalizeForwardedFor({ raw }: FastifyRequest): Promise<void> {
  const header = raw.headers['x-forwarded-for'];
  if (header === undefined) return;
  const addresses = forwardedAddresses(String(header));
  if (addresses.length === 0) delete raw.headers['x-forwarded-for'];
  else raw.headers['x-forwarded-for'] = addresses.join(', ');
}
