import { secret, url } from '@cellarman/config';
import type { Static, TObject } from '@sinclair/typebox';
import type { KeyServiceClientOptions } from './create-client.ts';

type Variables = ReturnType<typeof keyServiceVariables>;

/** @param service the caller: `ingest` */
export function keyServiceVariables(service: string) {
  return {
    KEY_SERVICE_URL: url({ schemes: ['http', 'https'], description: 'The base URL of key-service.' }),
    INTERNAL_TOKEN: secret({
      minLength: 16,
      description: `The token of ${service}, the same as ${service.toUpperCase()}_TOKEN of key-service.`,
    }),
  };
}

/** Returns what the variables say about the connection. */
export function keyServiceAccess(
  config: Static<TObject<Variables>>,
): Pick<KeyServiceClientOptions, 'url' | 'token'> {
  return { url: config.KEY_SERVICE_URL, token: config.INTERNAL_TOKEN };
}
