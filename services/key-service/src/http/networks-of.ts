import { isIPv6 } from 'node:net';

const MAPPED_IPV4 = /^::ffff:([\d.]+)$/i;

/**
 * Returns the networks that an IP address is counted for, narrow to wide: itself for IPv4; the /64, /56 and /48 for IPv6,
 * because providers assign a whole one of these to each customer.
 */
export function networksOf(address: string): [string, ...string[]] {
  const ipv4 = MAPPED_IPV4.exec(address)?.[1];
  if (ipv4 !== undefined || !isIPv6(address)) return [ipv4 ?? address];
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: Math.max(8 - groups.length - rest.length, 0) }, () => '0');
  const [a, b, c, d] = [...groups, ...zeros, ...rest].map((group) => Number.parseInt(group, 16));
  const site = [a, b, c].map((group) => (group ?? 0).toString(16)).join(':');
  const subnet = (bits: number) => ((d ?? 0) & bits).toString(16);
  return [`${site}:${subnet(0xffff)}::/64`, `${site}:${subnet(0xff00)}::/56`, `${site}::/48`];
}

/** The widest network of an IP address. */
export function widestNetworkOf(address: string): string {
  const networks = networksOf(address);
  return networks.at(-1) ?? networks[0];
}
