import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Which IP addresses webhooks may connect to. */
export interface AddressPolicy {
  isAllowed(address: string): boolean;
  /** Within the networks that the operator has named, where plain HTTP is allowed too. */
  isNamed(address: string): boolean;
}

/**
 * Allows public unicast IP addresses, and those of the given networks. Everything else is denied: private, loopback, link-local
 * (where clouds serve credentials), carrier-grade NAT, multicast, and IPv6 forms that embed an IPv4 one.
 *
 * @param networks such as `10.20.0.0/16` or `127.0.0.1`
 */
export function createAddressPolicy(networks: readonly string[]): AddressPolicy {
  const named = networks.map(parseNetwork);
  const isNamed = (address: Address) =>
    named.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  return {
    isNamed: (text) => ipaddr.isValid(text) && isNamed(ipaddr.process(text)),
    isAllowed(text) {
      if (!ipaddr.isValid(text)) return false;
      // Converts ::ffff:10.0.0.1 to the IPv4 form that it stands for.
      const address = ipaddr.process(text);
      return address.range() === 'unicast' || isNamed(address);
    },
  };
}

/** @throws {Error} when the text is neither an IP address nor a network */
export function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
