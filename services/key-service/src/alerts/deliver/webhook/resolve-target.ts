import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { DeliveryError } from '../delivery-error.ts';
import type { AddressPolicy } from './address-policy.ts';

export type Resolve = (host: string) => Promise<LookupAddress[]>;

const resolveHost: Resolve = (host) => lookup(host, { all: true });

/**
 * Resolves the host of a URL once, and validates the IP addresses that the connection then uses. A DNS record that changes in
 * between (DNS rebinding) has no effect.
 *
 * @throws {DeliveryError} if one of its IP addresses is not allowed
 */
export async function resolveTarget(
  url: URL,
  policy: AddressPolicy,
  resolve: Resolve = resolveHost,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const [first, ...others] = await resolve(host).catch((cause: unknown) => {
    throw new DeliveryError('The host name of the webhook cannot be resolved', { cause });
  });
  if (first === undefined) throw new DeliveryError('The host name of the webhook has no IP address');
  const addresses: [LookupAddress, ...LookupAddress[]] = [first, ...others];
  if (!addresses.every(({ address }) => policy.isAllowed(address))) {
    throw new DeliveryError(
      'The host of the webhook has an IP address that is not public. WEBHOOK_ALLOWED_NETWORKS of key-service can allow it.',
    );
  }
  if (url.protocol === 'http:' && !addresses.every(({ address }) => policy.isNamed(address))) {
    throw new DeliveryError('Webhooks on the internet need https://');
  }
  return addresses;
}
